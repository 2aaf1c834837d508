import { onlyValue } from '../../common/ranges/valueSet.ts';
import type { Field, RateCondition } from '../../netfilter/meaning.ts';
import type { Answer, WalkContext } from '../context.ts';
import type { Flow } from '../flow.ts';
import { remembered } from '../hooks/memory.ts';
import type { WalkRule } from '../input/walkInput.ts';
import { unknownAnswer } from './answers.ts';
import { fieldPlace, valuesAt } from './narrow.ts';

/** `own`: the limit of an element of a set, which counts separately. */
/** A limit counts as unused until packets of this walk have used it up themselves. */
export function askRate(
  flow: Flow,
  condition: RateCondition,
  rule: WalkRule,
  context: WalkContext,
  own?: { readonly list: string; readonly key: string },
): Answer {
  const { text, isOver, bucket } = condition;
  context.notes.notes.add(`${text}: taken as not yet used up`);
  if (bucket === undefined) return !isOver;
  const { family, name } = rule.chain.table;
  const list = own?.list ?? `limit ${rule.chain.table.backend} ${family} ${name} ${rule.chain.name} ${rule.number}`;
  const key = own?.key ?? bucketKey(flow, bucket.by);
  if (timesUsed(flow, list, key) < bucket.burst) {
    return [{ flow: remembered(flow, list, key, context.elapsed), holds: !isOver }];
  }
  // A reply, and the packet after it, follow within less than this.
  if (bucket.refill >= longestWait) return isOver;
  return unknownAnswer(flow, `${text}, used up by the packets before`, rule, context);
}

/** Milliseconds. */
const longestWait = 1000;

function timesUsed(flow: Flow, list: string, key: string): number {
  let count = 0;
  for (let at = flow.memory; at !== undefined; at = at.before) {
    if (at.item.list === list && at.item.key === key) count += 1;
  }
  return count;
}

function bucketKey(flow: Flow, fields: readonly Field[]): string {
  return fields
    .map((field) => {
      const place = fieldPlace(flow, field);
      return place === undefined ? '' : String(onlyValue(valuesAt(flow, place)) ?? '*');
    })
    .join(' ');
}
