import type { EventVerdict, Flow, WalkEvent } from '../flow.ts';
import type { WalkChain, WalkRule } from '../input/walkInput.ts';
import { appended } from '../values/trail.ts';

/** The flow with one more event on its path. */
export function withEvent(
  flow: Flow,
  chain: WalkChain,
  rule: WalkRule | undefined,
  verdict: EventVerdict,
  more: Partial<WalkEvent> = {},
): Flow {
  const event: WalkEvent = { hook: flow.hook, leg: flow.leg, chain, rule, verdict, mark: flow.mark, ...more };
  return { ...flow, path: appended(flow.path, event) };
}
