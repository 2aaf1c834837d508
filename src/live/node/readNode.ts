import { randomBytes } from 'node:crypto';
import { firstFew } from '../../common/text/firstFew.ts';
import type { Diagnostic, Report } from '../../diagnostics/diagnostic.ts';
import type { CollectCommand } from '../../script/collect/collectCommands.ts';
import { type ProgramEnd, runProgram } from '../kubectl/runProgram.ts';
import type { NodeAccess } from './nodeAccess.ts';
import { everyNodeCommand } from './nodeCommands.ts';
import { type NodeAnswer, nodeAnswers, nodeScript } from './nodeScript.ts';
import { readPrintedRules } from './printedRules.ts';
import { procCommands } from './procCommands.ts';
import { isShown, problemOf, showsRules } from './shownAnswer.ts';

/** What the commands of a node printed, by the file that `collect` writes it to. */
export interface NodeText {
  readonly command: CollectCommand;
  readonly text: string;
}

/**
 * Runs all commands on a node at once. The facts from a missing program are unknown, like those from one that failed or
 * whose output was cut: this is reported. Undefined: no rules were read, which was reported.
 */
export async function readNode(
  node: string,
  access: NodeAccess,
  asked: readonly CollectCommand[],
  timeout: number | undefined,
  report: Report,
): Promise<readonly NodeText[] | undefined> {
  if (access.reader !== undefined) {
    const what = asked === everyNodeCommand ? 'everything' : 'rules';
    const read = await readPrinted(access.reader(what), asked, timeout, report);
    // An older agent does not know the request: its programs are run one by one, as everywhere.
    if (read !== undefined) return read;
  }
  const commands = [...asked, ...procCommands];
  const mark = `k8snet-${randomBytes(12).toString('hex')}`;
  const end = await runProgram(access.shell, { input: nodeScript(commands, mark), timeout });
  const answers =
    access.program !== undefined && hasNoShell(end)
      ? await askEach(access.program, commands, timeout)
      : answersOf(end, mark);
  const said = answers === undefined ? undefined : nodeAnswers(end.said, mark);
  const texts: NodeText[] = [];
  for (const [number, answer] of answers ?? []) {
    const command = commands[number];
    if (command === undefined) continue;
    if (number >= asked.length) {
      texts.push(...ofKernel(number - asked.length, answer, texts));
      continue;
    }
    const problem = problemOf(node, command, answer, said?.get(number)?.text ?? '', end.kind === 'tooSlow');
    if (problem !== undefined) report(problem);
    if (isShown(command, answer)) texts.push({ command, text: answer.text });
  }
  if (texts.some(({ command }) => showsRules(command))) return texts;
  report(noRules(node, access, end));
  return undefined;
}

/** What the kernel shows instead of a program, for files that no program filled: each line stands for itself. */
function ofKernel(number: number, { text, status }: NodeAnswer, known: readonly NodeText[]): readonly NodeText[] {
  const command = procCommands[number];
  if (command === undefined || status === undefined) return [];
  return command
    .printed(text)
    .filter(([file, printed]) => printed !== '' && !known.some((one) => one.command.file === file))
    .map(([file, printed]) => ({ command: { ...command, file }, text: printed }));
}

async function readPrinted(
  reader: readonly string[],
  commands: readonly CollectCommand[],
  timeout: number | undefined,
  report: Report,
): Promise<readonly NodeText[] | undefined> {
  const { status, output } = await runProgram(reader, { timeout });
  const printed = status === 0 ? readPrintedRules(output.toString()) : undefined;
  if (printed === undefined) return undefined;
  for (const { severity, message } of printed.problems)
    report({ code: 'node-half-read', severity: severity === 'error' ? 'warning' : severity, message, at: [] });
  return printed.files.flatMap(({ file, text }) => {
    const command = commands.find((one) => one.file === file);
    return command === undefined ? [] : [{ command, text }];
  });
}

function answersOf({ output }: ProgramEnd, mark: string): ReadonlyMap<number, NodeAnswer> {
  return nodeAnswers(output.toString(), mark);
}

/** For an image that contains only the tools. */
function hasNoShell({ status, said, output }: ProgramEnd): boolean {
  return status !== 0 && output.length === 0 && /"sh": (?:executable file not found|no such file)/.test(said);
}

async function askEach(
  program: NonNullable<NodeAccess['program']>,
  commands: readonly CollectCommand[],
  timeout: number | undefined,
): Promise<ReadonlyMap<number, NodeAnswer>> {
  const answers = new Map<number, NodeAnswer>();
  for (const [number, { words, needs, file }] of commands.entries()) {
    // Without a shell it cannot be checked whether a command would load a module, or which variant the plain name
    // means.
    if (needs !== undefined || /iptables\.v[46]/.test(file)) continue;
    const { status, output, said, kind } = await runProgram(program(words), { timeout });
    if (kind === 'ended' && status !== 0 && /executable file not found|no such file/.test(said)) continue;
    answers.set(number, { text: output.toString(), ...(kind === 'ended' && status !== undefined && { status }) });
  }
  return answers;
}

function noRules(node: string, { name, hint }: NodeAccess, { kind, said }: ProgramEnd): Diagnostic {
  const forbidden = /\(Forbidden\): (.*pods\/exec.*)/.exec(said)?.[1];
  if (forbidden !== undefined) {
    return {
      code: 'not-allowed',
      severity: 'error',
      message: `node ${node}: the account may not run anything in ${name} (${forbidden})`,
      at: [],
      hint: 'a role with this rule grants it: {apiGroups: [""], resources: [pods/exec], verbs: [create, get]}',
    };
  }
  const ofWay = said.replace(/^(k8snet-[0-9a-f]+) begin (\d+)\n[\s\S]*?^\1 end \2 \d+$/gm, '');
  const lines = ofWay.split('\n').flatMap((line) => (/^k8snet-[0-9a-f]+ /.test(line) ? [] : line.trim() || []));
  const why = {
    ended: lines.length === 0 ? 'no program there printed any rules' : firstFew(lines.slice(-2), 2),
    notFound: said.trim(),
    tooSlow: 'no answer in time',
    tooMuch: 'the answer is longer than anything that can be read',
  }[kind];
  return {
    code: 'node-unread',
    severity: 'error',
    message: `node ${node} cannot be read (${name}): ${why}`,
    at: [],
    hint,
  };
}
