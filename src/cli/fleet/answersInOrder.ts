import type { NodeVerdict } from '../../report/fleet/nodeVerdict.ts';
import { exitCodes } from '../write/exitCodes.ts';
import type { FoundEntry } from './entries/fleetEntries.ts';
import type { FleetCommand } from './fleetCommand.ts';
import type { JudgePool } from './judge/judgePool.ts';
import { unjudged } from './judge/nodeHead.ts';

export type OrderedAnswer =
  | { readonly kind: 'answer'; readonly answer: NodeVerdict }
  /** After the first node that failed. */
  | { readonly kind: 'skipped'; readonly nodes: number };

/**
 * The answers in the order of the nodes, whichever comes first. Enough nodes are requested at once to keep all threads
 * busy, and few enough to keep few dumps in memory.
 */
export async function* answersInOrder(
  entries: AsyncIterable<FoundEntry>,
  pool: JudgePool,
  options: FleetCommand['options'],
): AsyncGenerator<OrderedAnswer> {
  const asked: Promise<NodeVerdict>[] = [];
  const most = pool.size * 2;
  let skipped = 0;
  let hasFailed = false;
  const next = async () => {
    const answer = await (asked.shift() as Promise<NodeVerdict>);
    hasFailed ||= options.failFast === true && answer.code !== exitCodes.ok;
    return { kind: 'answer' as const, answer };
  };
  for await (const found of entries) {
    if (hasFailed) {
      skipped += 1;
      continue;
    }
    const answer = answerTo(found, pool);
    // The caller that awaits the answer gets the failure.
    answer.catch(() => {});
    asked.push(answer);
    if (asked.length >= most) yield await next();
  }
  while (asked.length > 0 && !hasFailed) yield await next();
  skipped += asked.length;
  if (skipped > 0) yield { kind: 'skipped', nodes: skipped };
}

async function answerTo(found: FoundEntry, pool: JudgePool): Promise<NodeVerdict> {
  if (found.kind === 'entry') return pool.answer(found.entry);
  const { message } = found;
  const problem = { code: 'cannot-read', severity: 'error', message, at: [], hint: 'pack it again' } as const;
  return unjudged(found, undefined, [problem]);
}
