import { nodeLine, summaryLine } from '../../report/fleet/fleetJson.ts';
import type { FleetForm } from '../../report/fleet/fleetReport.ts';
import type { NodeVerdict } from '../../report/fleet/nodeVerdict.ts';
import { exitCodes } from '../write/exitCodes.ts';
import { progressLine } from '../write/progressLine.ts';
import { chalkFor, reportStyle } from '../write/style.ts';
import { writeError, writeOut } from '../write/writeOut.ts';
import { answersInOrder } from './answersInOrder.ts';
import { fleetEntries } from './entries/fleetEntries.ts';
import type { FleetPath } from './entries/fleetEntry.ts';
import type { FleetCommand } from './fleetCommand.ts';
import { fleetReportOf } from './fleetReportOf.ts';
import { judgePool } from './judge/judgePool.ts';
import { unjudged } from './judge/nodeHead.ts';
import { worstCode } from './worstCode.ts';

/** Judges many nodes and prints one report; returns the worst exit code of all nodes. */
export async function runFleet(command: FleetCommand, paths: readonly FleetPath[]): Promise<number> {
  const { options } = command;
  const total = paths.some(({ kind }) => kind === 'archive') ? undefined : paths.length;
  const ofShard = total && options.shard ? Math.ceil((total - options.shard.index) / options.shard.of) : total;
  const pool = judgePool(command, paths.slice(0, ofShard));
  try {
    const { said, hasErrors } = await pool.opened;
    if (said !== '') writeError(said);
    if (hasErrors) return exitCodes.badInput;
    const report = await fleetReportOf(command.name);
    const keeping = report.keeping?.();
    const form = options.output as FleetForm;
    const line = progressLine('node', options.quiet);
    const answers: NodeVerdict[] = [];
    const seen = new Map<string, string>();
    let skipped = 0;
    const found = answersInOrder(fleetEntries(paths, options.shard), pool, options);
    for await (const given of found) {
      if (given.kind === 'skipped') {
        skipped = given.nodes;
        continue;
      }
      const verdict = onlyOnce(given.answer, seen);
      const answer = verdict.state === 'unjudged' ? report.unjudged(verdict, form) : verdict;
      line.report(answers.length, ofShard ?? answers.length);
      if (form === 'json') {
        line.end();
        writeOut([nodeLine(answer)]);
      }
      const own = form === 'json' ? { ...answer, body: '' } : answer;
      answers.push(keeping?.keep(own) ?? own);
    }
    line.end();
    const exitCode = worstCode(report.codesOf?.(answers) ?? answers.map(({ code }) => code));
    const summary = report.summarize(answers, { skipped, shard: options.shard, exitCode });
    const style = reportStyle(chalkFor(options.color, process.stdout.isTTY === true, process.env));
    const limit = 'limit' in options ? options.limit : undefined;
    const context = { style, isVerbose: options.verbose, limit };
    writeOut(form === 'json' ? [summaryLine(summary)] : report.render(form, summary, answers, context));
    return exitCode;
  } finally {
    pool.close();
  }
}

/** It is unknown which of two dumps of a node is current: the first counts, the other is named. */
function onlyOnce(answer: NodeVerdict, seen: Map<string, string>): NodeVerdict {
  const first = answer.isNamed ? seen.get(answer.node) : undefined;
  if (answer.isNamed && first === undefined) seen.set(answer.node, answer.given);
  if (first === undefined) return answer;
  const message = `node ${answer.node} is given twice: ${first} was judged, this was not`;
  const hint = 'leave one of them out, or name nodes by --node-name';
  const problem = { code: 'node-given-twice', severity: 'error', message, at: [], hint } as const;
  return unjudged({ at: answer.at, given: answer.given }, answer.node, [problem]);
}
