import type { EventVerdict, Flow, WalkEvent } from '../flow.ts';
import type { WalkChain, WalkRule } from '../input/walkInput.ts';
import { appended } from '../values/trail.ts';

/** The flow with one more event on its path. */
export function withEvent(
  flow: Flow,
  chain: WalkChain,
  rule: WalkRule | undefined,
  verdict: EventVerdict,
  { target, policy, action }: Pick<WalkEvent, 'target' | 'policy' | 'action'> = nothing,
): Flow {
  const { hook, leg, mark } = flow;
  const event: WalkEvent = { hook, leg, chain, rule, verdict, target, policy, action, mark };
  return { ...flow, path: appended(flow.path, event) };
}

const nothing = {};
