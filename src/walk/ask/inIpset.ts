import { onlyValue, single } from '../../common/ranges/valueSet.ts';
import type { Condition, KeyPattern } from '../../netfilter/meaning.ts';
import { type Answer, cached, type FlowPart, type WalkContext } from '../context.ts';
import type { Flow } from '../flow.ts';
import { lastSeen } from '../hooks/memory.ts';
import type { WalkIpset, WalkMember, WalkRule } from '../input/walkInput.ts';
import { indexPatterns, type Looked, lookUp, type PatternIndex } from '../values/patternIndex.ts';
import { type Dimension, narrowed } from './narrow.ts';
import { supposed } from './supposed.ts';

type IpsetCondition = Extract<Condition, { kind: 'ipset' }>;

/** `-m set --match-set`: the longest matching network decides; `nomatch` excludes. */
export function inIpset(flow: Flow, condition: IpsetCondition, rule: WalkRule, context: WalkContext): Answer {
  const set = context.input.ipsets.get(condition.set);
  if (set === undefined) return supposed(flow, condition, `the set ${condition.set} was not given`, rule, context);
  if (set.lists !== undefined) {
    // A set of sets: a match in any of them counts.
    let parts: readonly FlowPart[] = [{ flow, holds: false }];
    for (const name of set.lists) {
      parts = parts.flatMap((part): readonly FlowPart[] => {
        if (part.holds) return [part];
        const answer = inIpset(part.flow, { ...condition, set: name }, rule, context);
        return typeof answer === 'boolean' ? [{ flow: part.flow, holds: answer }] : answer;
      });
    }
    return parts;
  }
  const places = keyPlaces(set, condition.sides);
  const index = cached(context, set, () => indexMembers(set));
  if (places === undefined || index === undefined) {
    return supposed(flow, condition, `what the set ${condition.set} holds`, rule, context);
  }
  const found = lookUp<Flow, WalkMember>(
    index,
    flow,
    (one, at) => partOf(one, places[at]),
    (one, at, values) => {
      const place = places[at];
      return place === undefined || place === 'in' || place === 'out' || place === 'mark'
        ? one
        : narrowed(one, { kind: 'packet', dimension: place }, values);
    },
  );
  const parts = found.map(({ subject, elements }): FlowPart => {
    const best = longest(elements);
    const added = addedTo(subject, set, condition, context);
    const isMember = best !== undefined && !best.isException;
    const isException = best?.isException === true && condition.returnsNomatch === true;
    return { flow: subject, holds: added ?? (isMember || isException) };
  });
  const [only, ...others] = parts;
  return only !== undefined && others.length === 0 && only.flow === flow ? only.holds : parts;
}

/** What rules added to a set, or took out of it. */
export function ipsetKey(flow: Flow, set: WalkIpset, sides: readonly ('src' | 'dst')[]): string | undefined {
  const places = keyPlaces(set, sides);
  const values = places?.map((place) => {
    const looked = partOf(flow, place);
    return typeof looked === 'string' ? looked : looked && onlyValue(looked);
  });
  return values?.every((value) => value !== undefined) ? values.join(',') : undefined;
}

type KeyPlace = Dimension | 'in' | 'out' | 'mark';

function addedTo(flow: Flow, set: WalkIpset, { sides }: IpsetCondition, context: WalkContext): boolean | undefined {
  if (flow.memory === undefined && context.seen.size === 0) return undefined;
  const key = ipsetKey(flow, set, sides);
  const seen = key === undefined ? undefined : lastSeen(flow, `ipset ${set.name}`, key, context);
  return seen && seen.at !== undefined;
}

/** Where the packet has each part of a key; a port is two parts, its protocol first. Undefined: unknown. */
function keyPlaces(set: WalkIpset, sides: readonly ('src' | 'dst')[]): readonly KeyPlace[] | undefined {
  const places: KeyPlace[] = [];
  for (const [at, dimension] of set.dimensions.entries()) {
    const isSource = (sides[at] ?? sides.at(-1)) === 'src';
    switch (dimension) {
      case 'ip':
      case 'net':
        places.push(isSource ? 'source' : 'destination');
        break;
      case 'port':
        places.push('protocol', isSource ? 'sourcePort' : 'destinationPort');
        break;
      case 'iface':
        places.push(isSource ? 'in' : 'out');
        break;
      case 'mark':
        places.push('mark');
        break;
      default:
        return undefined;
    }
  }
  return places;
}

function partOf(flow: Flow, place: KeyPlace | undefined): Looked {
  switch (place) {
    case undefined:
      return undefined;
    case 'in':
      return flow.inInterface;
    case 'out':
      return flow.outInterface;
    case 'mark':
      return single(flow.mark);
    default:
      return flow.packet[place];
  }
}

function indexMembers(set: WalkIpset): PatternIndex<WalkMember> | undefined {
  const elements: { readonly key: KeyPattern; readonly value: WalkMember }[] = [];
  // Without exceptions it does not matter which member an address matches: addresses in the set stay together.
  const any = set.members.some(({ isException }) => isException) ? undefined : set.members[0];
  for (const { member, unsaid } of set.members.flatMap((each) => protocolsOf(each, set))) {
    const key = member.parts.flatMap((part, at): KeyPattern => {
      if (part.name !== undefined) return [{ text: part.name, isPrefix: false }];
      if (set.dimensions[at] !== 'port') return [part.range];
      const protocol = part.protocol ?? unsaid;
      return [{ first: protocol, last: protocol }, part.range];
    });
    elements.push({ key, value: any ?? member });
  }
  return indexPatterns(elements);
}

/** A bitmap of ports has those of TCP and of UDP, and of nothing else. */
function protocolsOf(member: WalkMember, { dimensions }: WalkIpset) {
  const isUnsaid = member.parts.some(({ protocol }, at) => dimensions[at] === 'port' && protocol === undefined);
  return (isUnsaid ? [tcp, udp] : [tcp]).map((unsaid) => ({ member, unsaid }));
}

const [tcp, udp] = [6, 17] as const;

function longest(members: readonly WalkMember[]): WalkMember | undefined {
  let best: WalkMember | undefined;
  for (const member of members) {
    if (best === undefined || width(member) < width(best)) best = member;
  }
  return best;
}

function width({ parts }: WalkMember): bigint {
  return parts.reduce((sum, { range }) => sum + BigInt(range.last) - BigInt(range.first), 0n);
}
