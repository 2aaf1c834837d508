import { onlyValue } from '../../common/ranges/valueSet.ts';
import type { Key } from '../../netfilter/meaning.ts';
import type { WalkContext } from '../context.ts';
import type { Flow } from '../flow.ts';
import { lookedUp } from './lookedUp.ts';

/** The text of a key with a single value in each part, as lists of seen addresses contain it. */
export function seenKeyText(flow: Flow, key: Key, context: WalkContext): string | undefined {
  const parts: string[] = [];
  for (const part of key) {
    const looked = lookedUp(flow, part, context);
    const value = typeof looked === 'string' ? looked : looked && onlyValue(looked);
    if (value === undefined) return undefined;
    parts.push(String(value));
  }
  return parts.join(' . ');
}
