import type { Condition } from '../netfilter/meaning.ts';
import { unknownAnswer } from './answers.ts';
import type { Answer, WalkContext } from './context.ts';
import type { Flow } from './flow.ts';
import { interfaceOf } from './interfaceOf.ts';
import type { WalkRule } from './walkInput.ts';

type Asked<K extends Condition['kind']> = Extract<Condition, { kind: K }>;

/** `-m devgroup`. Where the packet has no such interface, the rule does not hold. */
export function askDeviceGroup(
  flow: Flow,
  { side, value, mask }: Asked<'deviceGroup'>,
  rule: WalkRule,
  context: WalkContext,
): Answer {
  const name = interfaceOf(flow, side);
  if (name === undefined) return false;
  const group = context.input.topology.interfaces.get(name)?.group;
  if (group === undefined) return unknownAnswer(flow, `-m devgroup: the group of ${name}`, rule, context);
  return ((group ^ value) & mask) === 0;
}

/** `-m realm`: 0 where no route gives another one. */
export function askRealm(flow: Flow, { value }: Asked<'realm'>, rule: WalkRule, context: WalkContext): Answer {
  const { assumed, hasRealms } = context.input.topology;
  if (assumed.has('routes') || hasRealms) {
    return unknownAnswer(flow, '-m realm: the realm of its route', rule, context);
  }
  return value === 0;
}
