import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cpus } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Report } from '../../diagnostics/diagnostic.ts';
import { longestInput } from '../../load/files/longestInput.ts';
import type { CollectCommand } from '../../script/collect/collectCommands.ts';
import { inTurns } from '../lists/inTurns.ts';
import { readNodeCommands } from './nodeCommands.ts';
import { isShown, problemOf, showsRules } from './shownAnswer.ts';

/** The output of one program on this machine, as bytes: most of it is unchanged and never becomes a text. */
export interface HereAnswer {
  readonly command: CollectCommand;
  readonly bytes: Buffer;
}

/** One reading; `failed` are the files of dumps whose programs exist here and did not answer. */
export interface HereReading {
  readonly answers: readonly HereAnswer[];
  readonly failed: ReadonlySet<string>;
}

/**
 * Reads the node that this process runs on: the same programs as everywhere, each separately and without a shell. What
 * cannot be read is reported. Undefined: no rules were read.
 */
export async function readHere(
  node: string,
  commands: readonly CollectCommand[],
  timeout: number,
  report: Report,
): Promise<HereReading | undefined> {
  const answers: (HereAnswer | undefined)[] = [];
  const failed = new Set<string>();
  await inTurns([...commands.entries()], Math.min(programsAtOnce, cpus().length), async ([at, command]) => {
    if (command.needs !== undefined && !existsSync(command.needs)) return;
    if (command.unless !== undefined && programFile(command.unless) !== undefined) return;
    answers[at] = await ask(node, command, timeout, (problem) => {
      failed.add(command.file);
      report(problem);
    });
  });
  const shown = answers.filter((answer) => answer !== undefined);
  if (shown.some(({ command }) => showsRules(command))) return { answers: shown, failed };
  report({
    code: 'node-unread',
    severity: 'error',
    message: `node ${node} cannot be read (this machine): no program here printed any rules`,
    at: [],
    hint: 'reading rules takes root with CAP_NET_ADMIN, and iptables or nft',
  });
  return undefined;
}

/** Without packet counters, which change all the time: a difference between those of two readings means nothing. */
export const steadyNodeCommands: readonly CollectCommand[] = readNodeCommands.map((command) => ({
  ...command,
  words: withoutCounters(command.words),
}));

function withoutCounters(words: readonly string[]): readonly string[] {
  const [program = '', ...others] = words;
  if (program === 'nft' && others[0] !== '-j') return [program, '-s', ...others];
  return /tables.*-save$/.test(program) ? [program, ...others.filter((word) => word !== '-c')] : words;
}

const programsAtOnce = 4;

async function ask(
  node: string,
  command: CollectCommand,
  timeout: number,
  report: Report,
): Promise<HereAnswer | undefined> {
  const [program = '', ...words] = command.words;
  const file = programFile(program);
  if (file === undefined) return undefined;
  const { bytes, said, status, wasSlow } = await run(file, words, timeout);
  // All that matters is whether anything was printed.
  const answer = { text: isBlank(bytes) ? '' : 'shown', ...(status !== undefined && { status }) };
  const problem = problemOf(node, command, answer, said, wasSlow);
  if (problem !== undefined) report(problem);
  // A cut dump would differ from the expected rules: for an automatic verdict, it does not count as a dump.
  return status !== undefined && isShown(command, answer) ? { command, bytes } : undefined;
}

function isBlank(bytes: Buffer): boolean {
  return bytes.length < longestBlank && bytes.toString().trim() === '';
}

const longestBlank = 64;

interface ProgramAnswer {
  readonly bytes: Buffer;
  readonly said: string;
  /** Undefined: it was ended. */
  readonly status?: number;
  readonly wasSlow: boolean;
}

function run(file: string, words: readonly string[], timeout: number): Promise<ProgramAnswer> {
  const options = {
    timeout,
    killSignal: 'SIGKILL',
    maxBuffer: longestInput,
    encoding: 'buffer',
    env: { ...process.env, LC_ALL: 'C', PATH: searchPath },
  } as const;
  return new Promise((resolve) => {
    execFile(file, words, options, (error, bytes, said) => {
      const code = error === null ? 0 : error.code;
      const status = typeof code === 'number' ? { status: code } : {};
      resolve({ bytes, said: said.toString().slice(0, longestSaid), wasSlow: error?.killed === true, ...status });
    });
  });
}

const longestSaid = 4096;

/** Programs for administrators are often outside the PATH of a service. */
const searchPath = [process.env.PATH ?? '', '/usr/local/sbin', '/usr/sbin', '/sbin', '/usr/bin', '/bin'].join(
  delimiter,
);

/** Where a program is; undefined: it is missing here. */
function programFile(program: string): string | undefined {
  return searchPath
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, program))
    .find((file) => existsSync(file));
}
