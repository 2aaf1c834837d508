import { proxySetKind } from '../../netfilter/ipset/proxySets.ts';
import type { Condition } from '../../netfilter/meaning.ts';
import type { Answer, WalkContext } from '../context.ts';
import type { Flow } from '../flow.ts';
import { withSupposed } from '../flowShape.ts';
import type { WalkRule } from '../input/walkInput.ts';
import { valuesText } from '../values/text.ts';
import { appended, keptOf } from '../values/trail.ts';
import { unknownAnswer } from './answers.ts';

type IpsetCondition = Extract<Condition, { kind: 'ipset' }>;

/**
 * Whether a packet is in a set whose members are unknown: both answers are followed, but a way that has one stays with it.
 * Rules of nat and of filter ask for the same sets, and so do later packets: each time both would double the ways.
 */
export function supposed(
  flow: Flow,
  condition: IpsetCondition,
  text: string,
  rule: WalkRule,
  context: WalkContext,
): Answer {
  const question = questionOf(flow, condition);
  for (let at = flow.supposed; at !== undefined; at = at.before) {
    if (at.item.question === question) return at.item.holds;
  }
  return unknownAnswer(flow, text, rule, context).map(({ flow: open, holds }) => {
    return { flow: withSupposed(open, appended(flow.supposed, { set: condition.set, question, holds })), holds };
  });
}

/** A rule has put something into a set whose members are unknown, or taken it out: earlier answers about it no longer hold. */
export function withoutSupposed(flow: Flow, set: string): Flow {
  return withSupposed(
    flow,
    keptOf(flow.supposed, (item) => item.set !== set),
  );
}

/**
 * The set, and all of the packet that a key of it may have. Which parts a key has is unknown, too: a second one may be
 * an interface or a mark, but in sets of kube-proxy.
 */
function questionOf(
  { packet, inInterface, outInterface, mark }: Flow,
  { set, sides, returnsNomatch }: IpsetCondition,
): string {
  const ends = sides.flatMap((side) =>
    side === 'src' ? [packet.source, packet.sourcePort] : [packet.destination, packet.destinationPort],
  );
  const others = sides.length === 1 || proxySetKind(set) !== undefined ? [] : [inInterface, outInterface, mark];
  return [set, returnsNomatch, ...sides, ...[packet.protocol, ...ends].map(valuesText), ...others].join(' ');
}
