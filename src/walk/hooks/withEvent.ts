import type { EventVerdict, Flow, WalkEvent } from '../flow.ts';
import { copyOfFlow } from '../flowShape.ts';
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
  const next = copyOfFlow(flow);
  next.path = appended(flow.path, event);
  return next;
}

const nothing = {};
