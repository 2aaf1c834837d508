import type { Value, ValueRange } from '../../common/ranges/valueRange.ts';
import type { Condition, Field, Key, KeyPattern, Step } from '../../netfilter/meaning.ts';
import type { NftElement } from '../../netfilter/nft/ast.ts';
import { patternOf } from '../../netfilter/nft/meaning/keyMeaning.ts';
import type { WalkContext } from '../../walk/context.ts';
import { chainRules } from '../../walk/input/chainRules.ts';
import type {
  WalkChain,
  WalkIpset,
  WalkMember,
  WalkRule,
  WalkTable,
  WalkVirtualService,
} from '../../walk/input/walkInput.ts';
import { sharedChains } from './sharedChains.ts';

/** What a rule, an element or a virtual server requires of a destination. Parts without a condition are undefined. */
export interface Mention {
  readonly address?: ValueRange;
  readonly protocol?: ValueRange;
  readonly port?: ValueRange;
  /** The author's text: a comment, or the name of a chain that it leads to. */
  readonly label?: string;
  /** It is one of kube-proxy's node ports: it only matters at addresses of the node. */
  readonly isNodePort?: true;
  /** The one sender address that it matches too. */
  readonly source?: Value;
  /** The rule may match other destinations, too. */
  readonly isLoose?: true;
  readonly origin: MentionOrigin;
}

/** The rule, element or server itself. */
export type MentionOrigin =
  | { readonly kind: 'rule'; readonly rule: WalkRule }
  /** An element of a named set or map, and the key that is looked up. */
  | {
      readonly kind: 'element';
      readonly table: WalkTable;
      readonly set: string;
      readonly key: Key;
      readonly element: NftElement;
    }
  | { readonly kind: 'member'; readonly set: string; readonly member: WalkMember }
  | { readonly kind: 'server'; readonly service: WalkVirtualService };

/**
 * Every destination that the rules of one family distinguish. Chains that belong to one Service port are not read if
 * packets reach them only by rules and elements that match one address and port: these represent them.
 */
export function ruleMentions(context: WalkContext): readonly Mention[] {
  const { tables, ipsets, ipvs } = context.input;
  const mentions: Mention[] = [];
  const sets = new Set<string>();
  for (const table of tables) {
    const read = new Set<WalkChain>(sharedChains(table, context));
    for (const chain of read) {
      for (const rule of chainRules(chain, context)) {
        const isNarrow = noteRule(rule, table, ipsets, sets, mentions);
        const called = isNarrow ? undefined : chainLedTo(rule.steps);
        const wide = called === undefined ? undefined : table.chains.get(called);
        if (wide !== undefined) read.add(wide);
      }
    }
  }
  for (const service of ipvs) {
    const { address, protocol, port, text } = service;
    const origin: MentionOrigin = { kind: 'server', service };
    mentions.push({ address: only(address), protocol: only(protocol), port: only(port), label: text, origin });
  }
  return mentions;
}

/** What one rule matches, with the elements of all sets that it asks. */
export function mentionsOf(rule: WalkRule, { input }: WalkContext): readonly Mention[] {
  const mentions: Mention[] = [];
  noteRule(rule, rule.chain.table, input.ipsets, new Set(), mentions);
  return mentions;
}

/** Notes what a rule matches, and says whether that is one destination, or one node port. */
function noteRule(
  rule: WalkRule,
  table: WalkTable,
  ipsets: ReadonlyMap<string, WalkIpset>,
  seen: Set<string>,
  mentions: Mention[],
): boolean {
  const asked: Asked = {};
  const loose: Mention[] = [];
  const origin: MentionOrigin = { kind: 'rule', rule };
  const noting: Noting = { origin, table, ipsets, seen, loose };
  for (const step of rule.steps) {
    if (step.kind === 'ask') noteCondition(step.condition, true, asked, noting);
    for (const { key, set } of mapsOf(step)) noteSet(key, set, noting);
  }
  const label = rule.comment ?? chainLedTo(rule.steps);
  if (asked.address !== undefined || asked.port !== undefined || asked.protocol !== undefined) {
    const isNodePort = rule.chain.name === 'KUBE-NODEPORTS';
    mentions.push({ ...asked, ...(label !== undefined && { label }), ...(isNodePort && { isNodePort }), origin });
  }
  for (const mention of loose) mentions.push(mention);
  const isOne = asked.address !== undefined && asked.address.first === asked.address.last;
  return isOne || (rule.chain.name === 'KUBE-NODEPORTS' && asked.port !== undefined);
}

/** The chain that a rule jumps to. */
export function chainLedTo(steps: readonly Step[]): string | undefined {
  for (const step of steps) if (step.kind === 'jump' || step.kind === 'goto') return step.chain;
  return undefined;
}

interface Asked {
  address?: ValueRange;
  protocol?: ValueRange;
  port?: ValueRange;
  source?: Value;
}

interface Noting {
  readonly origin: MentionOrigin;
  readonly table: WalkTable;
  readonly ipsets: ReadonlyMap<string, WalkIpset>;
  /** Sets that were read. */
  readonly seen: Set<string>;
  readonly loose: Mention[];
}

/** Conditions that all must hold describe one destination together; others stand for themselves. */
function noteCondition(condition: Condition, isFirm: boolean, asked: Asked, noting: Noting): void {
  switch (condition.kind) {
    case 'all':
      for (const each of condition.conditions) noteCondition(each, isFirm, asked, noting);
      return;
    case 'any':
      for (const each of condition.conditions) noteCondition(each, false, asked, noting);
      return;
    case 'not':
      noteCondition(condition.condition, false, asked, noting);
      return;
    case 'values': {
      const dimension = dimensions.get(condition.field);
      if (dimension === undefined || condition.mask !== undefined) return;
      const [range, ...more] = condition.ranges;
      if (
        isFirm &&
        range !== undefined &&
        more.length === 0 &&
        !condition.isOutside &&
        asked[dimension] === undefined
      ) {
        asked[dimension] = range;
      } else {
        for (const one of condition.ranges)
          noting.loose.push({ [dimension]: one, isLoose: true, origin: noting.origin });
      }
      return;
    }
    case 'lookup':
      noteSet(condition.key, condition.set, noting);
      return;
    case 'ipset': {
      const set = noting.ipsets.get(condition.set);
      if (set !== undefined) noteIpset(set, condition.sides, noting);
      return;
    }
  }
}

const dimensions: ReadonlyMap<Field, 'address' | 'protocol' | 'port'> = new Map([
  ['destination', 'address'],
  ['originalDestination', 'address'],
  ['protocol', 'protocol'],
  ['connectionProtocol', 'protocol'],
  ['destinationPort', 'port'],
  ['originalDestinationPort', 'port'],
]);

interface Looked {
  readonly key: Key;
  readonly set: string | readonly KeyPattern[];
}

function mapsOf(step: Step): readonly Looked[] {
  if (step.kind === 'verdictMap') {
    return [{ key: step.key, set: typeof step.map === 'string' ? step.map : step.map.map(({ key }) => key) }];
  }
  if (step.kind === 'nat' && step.map !== undefined) {
    const { key, elements } = step.map;
    return [{ key, set: typeof elements === 'string' ? elements : elements.map((element) => element.key) }];
  }
  return [];
}

function noteSet(key: Key, set: string | readonly KeyPattern[], noting: Noting): void {
  const { table, seen, origin } = noting;
  const places = key.map((part) => (part.kind === 'field' ? placeOf(part.field) : undefined));
  if (places.every((place) => place === undefined || place === 'source')) return;
  if (typeof set !== 'string') {
    for (const pattern of set) notePattern(places, pattern, { isLoose: true, origin }, noting.loose);
    return;
  }
  // One set may be used in several ways, usually by its key as it is.
  const isNodePort = /-nodeports$/.test(set);
  const name = `${table.family} ${table.name} ${set} ${places.join(' ')}`;
  if (seen.has(name)) return;
  seen.add(name);
  for (const element of table.sets.get(set)?.elements ?? []) {
    const pattern = patternOf(element.key, key);
    const { verdict, comment } = element;
    const label = verdict !== undefined && 'chain' in verdict && verdict.chain.includes('/') ? verdict.chain : comment;
    const own: MentionOrigin = { kind: 'element', table, set, key, element };
    const more = { ...(label !== undefined && { label }), ...(isNodePort && { isNodePort }), origin: own };
    if (pattern !== undefined) notePattern(places, pattern, more, noting.loose);
  }
}

function notePattern(
  places: readonly ('address' | 'protocol' | 'port' | 'source' | undefined)[],
  pattern: KeyPattern,
  more: Pick<Mention, 'label' | 'isNodePort' | 'isLoose' | 'origin'>,
  mentions: Mention[],
): void {
  const asked: Asked = {};
  for (const [at, place] of places.entries()) {
    const part = pattern[at];
    if (place === undefined || part === undefined || !('first' in part)) continue;
    if (place !== 'source') asked[place] = part;
    else if (part.first === part.last) asked.source = part.first;
  }
  mentions.push({ ...asked, ...more });
}

function placeOf(field: Field): 'address' | 'protocol' | 'port' | 'source' | undefined {
  return field === 'source' || field === 'originalSource' ? 'source' : dimensions.get(field);
}

function noteIpset(set: WalkIpset, sides: readonly ('src' | 'dst')[], noting: Noting): void {
  const { ipsets, seen, loose } = noting;
  for (const name of set.lists ?? []) {
    const inner = ipsets.get(name);
    if (inner !== undefined && inner.lists === undefined) noteIpset(inner, sides, noting);
  }
  const id = `ipset ${set.name} ${sides.join(',')}`;
  if (seen.has(id)) return;
  seen.add(id);
  const isDestination = set.dimensions.map((_, at) => (sides[at] ?? sides.at(-1)) === 'dst');
  if (!isDestination.includes(true)) return;
  const isNodePort = set.name.includes('NODE-PORT');
  for (const member of set.members) {
    const asked: Asked = {};
    for (const [at, part] of member.parts.entries()) {
      const dimension = set.dimensions[at];
      if (part.name !== undefined) continue;
      if (dimension === 'ip' || dimension === 'net') {
        if (isDestination[at]) asked.address = part.range;
        else if (part.range.first === part.range.last) asked.source = part.range.first;
      }
      if (dimension === 'port' && isDestination[at]) {
        asked.port = part.range;
        if (part.protocol !== undefined) asked.protocol = only(part.protocol);
      }
    }
    const origin: MentionOrigin = { kind: 'member', set: set.name, member };
    loose.push({ ...asked, label: set.name, ...(isNodePort && { isNodePort }), origin });
  }
}

function only(value: Value): ValueRange {
  return { first: value, last: value };
}
