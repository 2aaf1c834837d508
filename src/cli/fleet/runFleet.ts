import type { NodeAnswer } from '../../report/fleet/fleetReport.ts';
import type { FleetForm } from '../../report/fleet/renderFleet.ts';
import { renderFleet } from '../../report/fleet/renderFleet.ts';
import { summarizeFleet } from '../../report/fleet/summarizeFleet.ts';
import { exitCodes } from '../write/exitCodes.ts';
import { progressLine } from '../write/progressLine.ts';
import { chalkFor, reportStyle } from '../write/style.ts';
import { writeError, writeOut } from '../write/writeOut.ts';
import { answersInOrder } from './answersInOrder.ts';
import { fleetEntries } from './entries/fleetEntries.ts';
import type { FleetPath } from './entries/fleetEntry.ts';
import type { FleetCommand } from './fleetCommand.ts';
import { judgePool } from './judge/judgePool.ts';
import { problemAnswer } from './judge/nodeAnswer.ts';
import { worstCode } from './worstCode.ts';

/** Judges many nodes and prints one report; returns the worst exit code of all nodes. */
export async function runFleet(command: FleetCommand, paths: readonly FleetPath[]): Promise<number> {
  const { options } = command;
  const total = paths.some(({ kind }) => kind === 'archive') ? undefined : paths.length;
  const ofShard = total && options.shard ? Math.ceil((total - options.shard.index) / options.shard.of) : total;
  const pool = judgePool(command, ofShard);
  try {
    const { said, hasErrors } = await pool.opened;
    if (said !== '') writeError(said);
    if (hasErrors) return exitCodes.badInput;
    const line = progressLine('node', options.quiet);
    const answers: NodeAnswer[] = [];
    const seen = new Map<string, NodeAnswer>();
    const isJson = options.output === 'json';
    let skipped = 0;
    const found = answersInOrder(fleetEntries(paths, options.shard), pool, options);
    for await (const given of found) {
      if (given.kind === 'skipped') {
        skipped = given.nodes;
        continue;
      }
      const answer = await onlyOnce(given.answer, seen, command);
      line.report(answers.length, ofShard ?? answers.length);
      answers.push(isJson ? { ...answer, body: '' } : answer);
      if (isJson) {
        line.end();
        writeOut([answer.body]);
      }
    }
    line.end();
    const exitCode = worstCode(answers.map(({ code }) => code));
    const summary = summarizeFleet(command.name, answers, { skipped, shard: options.shard, exitCode });
    const style = reportStyle(chalkFor(options.color, process.stdout.isTTY === true, process.env));
    writeOut(renderFleet(options.output as FleetForm, summary, answers, { style, isVerbose: options.verbose }));
    return exitCode;
  } finally {
    pool.close();
  }
}

/** It is unknown which of two dumps of a node is current: the first counts, the other is named. */
async function onlyOnce(
  answer: NodeAnswer,
  seen: Map<string, NodeAnswer>,
  { options }: FleetCommand,
): Promise<NodeAnswer> {
  const first = answer.isNamed ? seen.get(answer.node) : undefined;
  if (answer.isNamed && first === undefined) seen.set(answer.node, answer);
  if (first === undefined) return answer;
  const message = `node ${answer.node} is given twice: ${first.given} was judged, this was not`;
  const hint = 'leave one of them out, or name nodes by --node-name';
  const problem = { code: 'node-given-twice', severity: 'error', message, at: [], hint } as const;
  return problemAnswer({ at: answer.at, given: answer.given }, { node: answer.node }, [problem], options);
}
