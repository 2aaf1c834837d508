import { trailItems } from '../../walk/values/trail.ts';
import type { TracedOutcome } from '../traceResult.ts';
import type { Seen } from '../tracer.ts';

/** What a connection left in lists and dynamic sets, with ages at the time `now` of the next one. */
export function memoryOf({ first }: TracedOutcome, now: number): readonly Seen[] {
  return trailItems(first.flow.memory).flatMap(({ list, key, at }): Seen[] => {
    const name = list.slice(list.lastIndexOf(' ') + 1);
    return at === undefined || !/^\d+$/.test(key)
      ? []
      : [{ list: name, address: valueOfKey(key, first), milliseconds: now - at }];
  });
}

function valueOfKey(key: string, { flow }: TracedOutcome['first']): number | bigint {
  return typeof flow.entry.source[0]?.first === 'bigint' ? BigInt(key) : Number(key);
}
