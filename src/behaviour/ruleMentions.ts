import type { Condition, Field, Key, KeyPattern, Step, ValueRange } from '../netfilter/meaning.ts';
import { patternOf } from '../netfilter/nft/keyMeaning.ts';
import type { WalkContext } from '../walk/context.ts';
import { rulesOf } from '../walk/walkChain.ts';
import type { WalkChain, WalkIpset, WalkRule, WalkTable } from '../walk/walkInput.ts';

/** What a rule, an element or a virtual server asks of a destination. Parts that it does not ask for are undefined. */
export interface Mention {
  readonly address?: ValueRange;
  readonly protocol?: ValueRange;
  readonly port?: ValueRange;
  /** What its writer says of it: a comment, or the name of a chain that it leads to. */
  readonly said?: string;
  /** It is one of kube-proxy's node ports: nobody asks for it but at addresses of the node. */
  readonly isNodePort?: true;
}

/**
 * Every destination that the rules of one family tell apart. Chains that belong to one Service port are not read: packets
 * come to them by rules and elements that ask for one address and port, and these are.
 */
export function ruleMentions(context: WalkContext): readonly Mention[] {
  const { tables, ipsets, ipvs } = context.input;
  const mentions: Mention[] = [];
  const sets = new Set<string>();
  for (const table of tables) {
    for (const chain of table.chains.values()) {
      if (isOfOneService(chain)) continue;
      for (const rule of rulesOf(chain, context)) noteRule(rule, table, ipsets, sets, mentions);
    }
  }
  for (const { address, protocol, port, text } of ipvs) {
    mentions.push({ address: only(address), protocol: only(protocol), port: only(port), said: text });
  }
  return mentions;
}

/** Chains that kube-proxy makes for one Service port, of all modes and versions. */
export function isOfOneService({ name }: WalkChain): boolean {
  return /^KUBE-(?:SVC|SVL|SEP|EXT|FW|XLB)-[A-Z2-7]{16}$|^(?:service|local|endpoint|external|firewall)-[A-Z2-7]{8}-/.test(
    name,
  );
}

function noteRule(
  rule: WalkRule,
  table: WalkTable,
  ipsets: ReadonlyMap<string, WalkIpset>,
  seen: Set<string>,
  mentions: Mention[],
): void {
  const asked: { address?: ValueRange; protocol?: ValueRange; port?: ValueRange } = {};
  const loose: Mention[] = [];
  for (const step of rule.steps) {
    if (step.kind === 'ask') noteCondition(step.condition, true, asked, loose, table, ipsets, seen);
    for (const { key, set } of mapsOf(step)) noteSet(key, set, table, seen, loose);
  }
  const said = rule.comment ?? leadsTo(rule.steps);
  if (asked.address !== undefined || asked.port !== undefined || asked.protocol !== undefined) {
    const isNodePort = rule.chain.name === 'KUBE-NODEPORTS';
    mentions.push({ ...asked, ...(said !== undefined && { said }), ...(isNodePort && { isNodePort }) });
  }
  for (const mention of loose) mentions.push(mention);
}

function leadsTo(steps: readonly Step[]): string | undefined {
  for (const step of steps) if (step.kind === 'jump' || step.kind === 'goto') return step.chain;
  return undefined;
}

interface Asked {
  address?: ValueRange;
  protocol?: ValueRange;
  port?: ValueRange;
}

/** Conditions that all must hold describe one destination together; others stand for themselves. */
function noteCondition(
  condition: Condition,
  isFirm: boolean,
  asked: Asked,
  loose: Mention[],
  table: WalkTable,
  ipsets: ReadonlyMap<string, WalkIpset>,
  seen: Set<string>,
): void {
  switch (condition.kind) {
    case 'all':
      for (const each of condition.conditions) noteCondition(each, isFirm, asked, loose, table, ipsets, seen);
      return;
    case 'any':
      for (const each of condition.conditions) noteCondition(each, false, asked, loose, table, ipsets, seen);
      return;
    case 'not':
      noteCondition(condition.condition, false, asked, loose, table, ipsets, seen);
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
        for (const one of condition.ranges) loose.push({ [dimension]: one });
      }
      return;
    }
    case 'lookup':
      noteSet(condition.key, condition.set, table, seen, loose);
      return;
    case 'ipset': {
      const set = ipsets.get(condition.set);
      if (set !== undefined) noteIpset(set, condition.sides, ipsets, seen, loose);
      return;
    }
  }
}

const dimensions: ReadonlyMap<Field, 'address' | 'protocol' | 'port'> = new Map([
  ['destination', 'address'],
  ['originalDestination', 'address'],
  ['protocol', 'protocol'],
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

function noteSet(
  key: Key,
  set: string | readonly KeyPattern[],
  table: WalkTable,
  seen: Set<string>,
  mentions: Mention[],
): void {
  const places = key.map((part) => (part.kind === 'field' ? dimensions.get(part.field) : undefined));
  if (places.every((place) => place === undefined)) return;
  if (typeof set !== 'string') {
    for (const pattern of set) notePattern(places, pattern, undefined, mentions);
    return;
  }
  // One set may be asked in several ways: by its key as it is, mostly.
  const isNodePort = /-nodeports$/.test(set);
  const name = `${table.family} ${table.name} ${set} ${places.join(' ')}`;
  if (seen.has(name)) return;
  seen.add(name);
  for (const element of table.sets.get(set)?.elements ?? []) {
    const pattern = patternOf(element.key, key);
    const { verdict, comment } = element;
    const said = verdict !== undefined && 'chain' in verdict && verdict.chain.includes('/') ? verdict.chain : comment;
    if (pattern !== undefined) notePattern(places, pattern, said, mentions, isNodePort);
  }
}

function notePattern(
  places: readonly ('address' | 'protocol' | 'port' | undefined)[],
  pattern: KeyPattern,
  said: string | undefined,
  mentions: Mention[],
  isNodePort = false,
): void {
  const asked: Asked = {};
  for (const [at, place] of places.entries()) {
    const part = pattern[at];
    if (place !== undefined && part !== undefined && 'first' in part) asked[place] = part;
  }
  mentions.push({ ...asked, ...(said !== undefined && { said }), ...(isNodePort && { isNodePort }) });
}

function noteIpset(
  set: WalkIpset,
  sides: readonly ('src' | 'dst')[],
  ipsets: ReadonlyMap<string, WalkIpset>,
  seen: Set<string>,
  mentions: Mention[],
): void {
  for (const name of set.lists ?? []) {
    const inner = ipsets.get(name);
    if (inner !== undefined && inner.lists === undefined) noteIpset(inner, sides, ipsets, seen, mentions);
  }
  const id = `ipset ${set.name} ${sides.join(',')}`;
  if (seen.has(id)) return;
  seen.add(id);
  const places = set.dimensions.map((dimension, at) => {
    const isDestination = (sides[at] ?? sides.at(-1)) === 'dst';
    return isDestination ? dimension : undefined;
  });
  if (places.every((place) => place === undefined)) return;
  for (const { parts } of set.members) {
    const asked: Asked = {};
    for (const [at, place] of places.entries()) {
      const part = parts[at];
      if (part === undefined || part.name !== undefined) continue;
      if (place === 'ip' || place === 'net') asked.address = part.range;
      if (place === 'port') {
        asked.port = part.range;
        if (part.protocol !== undefined) asked.protocol = only(part.protocol);
      }
    }
    mentions.push({ ...asked, said: set.name, ...(set.name.includes('NODE-PORT') && { isNodePort: true }) });
  }
}

function only(value: ValueRange['first']): ValueRange {
  return { first: value, last: value };
}
