import { Command } from 'commander';
import { summaryLine } from '../../../report/fleet/fleetJson.ts';
import { mergeFleets, type NamedFleet } from '../../../report/fleet/mergeFleets.ts';
import { readFleetLines } from '../../../report/fleet/readFleetLines.ts';
import { readDumpText } from '../../dumps/readDumpText.ts';
import { fleetReportOf } from '../../fleet/fleetReportOf.ts';
import { worstCode } from '../../fleet/worstCode.ts';
import { addMessageOptions, formOption, type MessageOptions } from '../../options/commonOptions.ts';
import { endMisused } from '../../options/refuseOption.ts';
import { exitCodes } from '../../write/exitCodes.ts';
import { collectMessages, type Messages } from '../../write/messages.ts';
import type { SetExitCode } from '../../write/setExitCode.ts';
import { chalkFor, reportStyle } from '../../write/style.ts';
import { writeOut } from '../../write/writeOut.ts';

type MergeOptions = MessageOptions & { readonly output: 'text' | 'json' | 'markdown' };

/** `k8snet report merge`: combines reports about parts of a cluster's nodes. */
export function reportMergeCommand(setExitCode: SetExitCode): Command {
  const command = new Command('merge')
    .summary('merge reports about parts of the nodes into one')
    .description(
      'Reads what diff, doctor, migrate or reach printed for several nodes with -o json, mostly one file for each --shard, and prints one report of all nodes. Missing shards, and nodes that two reports have with different content, are named.',
    )
    .argument('<file...>', 'reports: JSON lines of k8snet.fleet/v1; - for standard input')
    .addOption(formOption('text', 'json', 'markdown'));
  addMessageOptions(command);
  return command.addHelpText('after', examples).action(async (files: readonly string[], options: MergeOptions) => {
    setExitCode(await mergeAction(files, options));
  });
}

async function mergeAction(files: readonly string[], options: MergeOptions): Promise<number> {
  const messages = collectMessages(options);
  const fleets: NamedFleet[] = [];
  for (const file of files) fleets.push(...(await readFleet(file, messages)));
  if (messages.hasErrors()) {
    await messages.flush();
    return exitCodes.badInput;
  }
  const { command, nodes, skipped, problems } = mergeFleets(fleets);
  for (const problem of problems) messages.report(problem);
  await messages.flush();
  if (problems.some(({ code }) => code === 'not-a-report')) return exitCodes.badInput;
  if (options.output === 'markdown' && command !== 'migrate') {
    const message = '--output markdown is for reports of migrate';
    return endMisused(messages, 'report merge', message);
  }
  const report = await fleetReportOf(command);
  const answers = nodes.map(({ answer }) => ({ ...answer, body: report.bodyOf?.(answer, options.verbose) ?? '' }));
  const isUndecided = problems.some(({ code }) => code === 'shard-missing');
  const isBad = problems.some(({ code }) => code !== 'shard-missing');
  const exitCode = worstCode([
    ...(report.codesOf?.(answers) ?? answers.map(({ code }) => code)),
    ...(isUndecided ? [exitCodes.undecided] : []),
    ...(isBad ? [exitCodes.badInput] : []),
  ]);
  const parts = fleets.map(({ summary }) => summary);
  const summary = report.summarize(answers, { skipped, exitCode, parts });
  if (options.output === 'json') {
    writeOut(nodes.map(({ line }) => `${line}\n`));
    writeOut([summaryLine(summary)]);
    return exitCode;
  }
  const style = reportStyle(chalkFor(options.color, process.stdout.isTTY === true, process.env));
  writeOut(report.render(options.output, summary, answers, { style, isVerbose: options.verbose }));
  return exitCode;
}

async function readFleet(file: string, messages: Messages): Promise<readonly NamedFleet[]> {
  const text = readDumpText(file, messages.report);
  if (text === undefined) return [];
  const read = await readFleetLines(text, fleetReportOf);
  if (typeof read !== 'string') return [{ ...read, file }];
  const message = `${file === '-' ? 'standard input' : file} is not a report of many nodes: ${read}`;
  messages.report({ code: 'not-a-report', severity: 'error', message, at: [] });
  return [];
}

const examples = `
Examples:
  k8snet report merge report-0.jsonl report-1.jsonl report-2.jsonl
  k8snet report merge shards/*.jsonl -o json > fleet.jsonl

Exit status: that of the worst node (0 as it should be, 1 something differs, 2 a node could not be judged), 2 bad usage or a
file that is no whole report, 3 shards are missing.
`;
