import { onlyValue } from '../../common/ranges/valueSet.ts';
import { and } from '../../netfilter/addressRanges.ts';
import type { RecentCondition } from '../../netfilter/meaning.ts';
import type { Answer, WalkContext } from '../context.ts';
import type { Flow } from '../flow.ts';
import { lastSeen, remembered } from '../hooks/memory.ts';
import type { WalkRule } from '../input/walkInput.ts';
import { unknownAnswer } from './answers.ts';

/** `-m recent`: checks whether an address was seen, or records it. An age must be strictly below the list's seconds. */
export function askRecent(flow: Flow, condition: RecentCondition, rule: WalkRule, context: WalkContext): Answer {
  const value = onlyValue(flow.packet[condition.side]);
  // There are many addresses, none of which was seen.
  if (value === undefined) return condition.action === 'set';
  const key = String(condition.mask === undefined ? value : and(value, condition.mask));
  const list = `recent ${condition.list}`;
  const now = context.elapsed;
  if (condition.action === 'set') return [{ flow: remembered(flow, list, key, now), holds: true }];
  const seen = lastSeen(flow, list, key, context);
  const isListed = seen?.at !== undefined;
  if (isListed && (condition.hitcount ?? 1) > 1) {
    return unknownAnswer(flow, `${condition.list} has seen ${condition.hitcount} packets`, rule, context);
  }
  const isFresh = isListed && (condition.seconds === undefined || now - (seen.at ?? 0) < condition.seconds * 1000);
  if (!isFresh) return false;
  switch (condition.action) {
    case 'rcheck':
      return true;
    case 'update':
      return [{ flow: remembered(flow, list, key, now), holds: true }];
    case 'remove':
      return [{ flow: remembered(flow, list, key, undefined), holds: true }];
  }
}
