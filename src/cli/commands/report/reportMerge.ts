import { Command } from 'commander';
import { count } from '../../../common/text/count.ts';
import { escapeText } from '../../../common/text/escapeText.ts';
import type { NodeAnswer } from '../../../report/fleet/fleetReport.ts';
import { mergeFleets, type NamedFleet } from '../../../report/fleet/mergeFleets.ts';
import { readFleetLines } from '../../../report/fleet/readFleetLines.ts';
import { renderFleet } from '../../../report/fleet/renderFleet.ts';
import { summarizeFleet } from '../../../report/fleet/summarizeFleet.ts';
import { readDumpText } from '../../dumps/readDumpText.ts';
import { worstCode } from '../../fleet/worstCode.ts';
import { addMessageOptions, formOption, type MessageOptions } from '../../options/commonOptions.ts';
import { exitCodes } from '../../write/exitCodes.ts';
import { collectMessages, type Messages } from '../../write/messages.ts';
import type { SetExitCode } from '../../write/setExitCode.ts';
import { chalkFor, reportStyle } from '../../write/style.ts';
import { writeOut } from '../../write/writeOut.ts';

type MergeOptions = MessageOptions & { readonly output: 'text' | 'json' };

/** `k8snet report merge`: combines reports about parts of a cluster's nodes. */
export function reportMergeCommand(setExitCode: SetExitCode): Command {
  const command = new Command('merge')
    .summary('merge reports about parts of the nodes into one')
    .description(
      'Reads what diff and doctor printed for several nodes with -o json, mostly one file for each --shard, and prints one report of all nodes. Missing shards, and nodes that two reports have with different content, are named.',
    )
    .argument('<file...>', 'reports: JSON lines of k8snet.fleet/v1; - for standard input')
    .addOption(formOption('text', 'json'));
  addMessageOptions(command);
  return command.addHelpText('after', examples).action(async (files: readonly string[], options: MergeOptions) => {
    setExitCode(await mergeAction(files, options));
  });
}

async function mergeAction(files: readonly string[], options: MergeOptions): Promise<number> {
  const messages = collectMessages(options);
  const fleets = files.flatMap((file) => readFleet(file, messages));
  if (messages.hasErrors()) {
    await messages.flush();
    return exitCodes.badInput;
  }
  const { command, nodes, skipped, problems } = mergeFleets(fleets);
  for (const problem of problems) messages.report(problem);
  await messages.flush();
  const isUndecided = problems.some(({ code }) => code === 'shard-missing');
  const isBad = problems.some(({ code }) => code !== 'shard-missing');
  const exitCode = worstCode([
    ...nodes.map(({ answer }) => answer.code),
    ...(isUndecided ? [exitCodes.undecided] : []),
    ...(isBad ? [exitCodes.badInput] : []),
  ]);
  const answers = nodes.map(({ answer }) => ({ ...answer, body: bodyOf(answer, options.verbose) }));
  const summary = summarizeFleet(command, answers, { skipped, exitCode });
  if (options.output === 'json') writeOut(nodes.map(({ line }) => `${line}\n`));
  const style = reportStyle(chalkFor(options.color, process.stdout.isTTY === true, process.env));
  writeOut(renderFleet(options.output, summary, answers, { style, isVerbose: options.verbose }));
  return exitCode;
}

function readFleet(file: string, messages: Messages): readonly NamedFleet[] {
  const text = readDumpText(file, messages.report);
  if (text === undefined) return [];
  const read = readFleetLines(text);
  if (typeof read !== 'string') return [{ ...read, file }];
  const message = `${file === '-' ? 'standard input' : file} is not a report of many nodes: ${read}`;
  messages.report({ code: 'not-a-report', severity: 'error', message, at: [] });
  return [];
}

/** The line about a node: the JSON has everything. */
function bodyOf({ findings, changes, summary }: NodeAnswer, isVerbose: boolean): string {
  const shown = findings.filter(({ fails }) => fails || isVerbose);
  const lines = shown.map(
    ({ id, severity, service, seen }) =>
      `  ${severity} ${id}${service === undefined ? '' : ` ${escapeText(service)}`}: ${escapeText(seen)}\n`,
  );
  const unexplained = changes > 0 ? [`  rules differ, and no finding says why: ${changes}\n`] : [];
  const most = isVerbose ? lines.length : mostFindings;
  const left = lines.length > most ? [`  and ${lines.length - most} more (-v prints all)\n`] : [];
  const counts = summary === undefined ? [] : [`  ${count(summary.services, 'Service')}: ${summary.same} same\n`];
  return [...counts, ...lines.slice(0, most), ...left, ...unexplained].join('');
}

const mostFindings = 20;

const examples = `
Examples:
  k8snet report merge report-0.jsonl report-1.jsonl report-2.jsonl
  k8snet report merge shards/*.jsonl -o json > fleet.jsonl

Exit status: that of the worst node (0 as it should be, 1 something differs, 2 a node could not be judged), 2 bad usage or a
file that is no whole report, 3 shards are missing.
`;
