import type { Value, ValueRange } from '../../common/ranges/valueRange.ts';
import type { WalkContext } from '../../walk/context.ts';
import { chainRules } from '../../walk/input/chainRules.ts';
import type { WalkChain, WalkRule } from '../../walk/input/walkInput.ts';
import { isLocalAddress } from '../../walk/isLocalAddress.ts';
import type { ComparedFamily } from '../comparedPair.ts';
import type { Destination } from '../packets/destinations.ts';
import { addressClass } from './addressClass.ts';
import { isOfDummy } from './isOfDummy.ts';
import { networksApart } from './networksApart.ts';
import type { Mention } from './ruleMentions.ts';
import { sharedChains } from './sharedChains.ts';
import { createStepText, type StepText } from './stepText.ts';
import type { StandIns } from './stepWriter.ts';
import { treatsAlike } from './treatsAlike.ts';

/**
 * What a destination has in common with others, and its own in their place. Findings keep it, tens of thousands of them:
 * it holds no text, and reads the rules again where somebody asks.
 */
export interface DestinationShape {
  /** In the order of their placeholders. */
  readonly endpoints: readonly Value[];
  /** What distinguishes endpoints as senders to it: those with equal texts have equal outcomes. */
  readonly endpointKinds: () => ReadonlyMap<Value, string>;
  /** For each side, the rules that were read, in order: they are read again each time. */
  readonly rules: () => readonly (readonly WalkRule[])[];
}

/**
 * The key is everything that the rules of both sides contain for one destination, with placeholders for its address,
 * port, chains and endpoints. Destinations with equal keys have equal outcomes, each with its own endpoints: one of them
 * is walked for all.
 */
export interface KeyedShape {
  readonly key: string;
  /** The same for any order of its endpoints, if both sides treat them all alike: enough where nothing differs. */
  readonly anyOrderKey: () => string | undefined;
  readonly shape: DestinationShape;
}

/** `senders`: endpoints that also send to the destination. Undefined: it has no equals. */
export type ShapeOf = (destination: Destination, senders: readonly Value[]) => KeyedShape | undefined;

/**
 * Prepares the input of shapes: mentions by address and port, the networks and ports that all rules match. `beside`:
 * the rules of a second pair, for which destinations must be alike too.
 */
export function destinationShapes(pair: ComparedFamily, beside?: ComparedFamily): ShapeOf {
  const pairs = beside === undefined ? [pair] : [pair, beside];
  const sides = pairs.flatMap(({ contexts, mentions }) =>
    [...new Set(contexts)].map((context, at) => shapeSide(context, mentions[at] ?? [])),
  );
  const interfaces = pairs.flatMap((one) => one.interfaces);
  const distinct = sides.map(({ context }) => context);
  const own = sides.slice(0, new Set(pair.contexts).size);
  const known = beside && new Set(beside.destinations.map(destinationKey));
  const ranges = withoutTwins(sides.flatMap((side) => side.ranges));
  const ports = withoutTwins(sides.flatMap((side) => side.ports));
  const networks = networksApart(distinct);
  // There are few classes, and as many endpoints as the cluster has Pods.
  const numbers = new Map<string, number>();
  const numberOf = (text: string): number => {
    const number = numbers.get(text) ?? numbers.size;
    numbers.set(text, number);
    return number;
  };
  const classOf = remembered((address) =>
    numberOf(
      [placesIn(address, ranges), ...networks.map((context) => addressClass(address, interfaces, context))].join(' | '),
    ),
  );
  const endpointClassOf = remembered((address) =>
    numberOf([classOf(address), ...sides.map((side) => elsewhereText(address, side))].join('\n')),
  );
  const headText = ({ use, address, protocolPorts }: Destination, { port }: StandIns): string => {
    const kind = use === 'other' ? 'other' : `${protocolPorts[0]?.protocol}`;
    return `${kind}\n${classOf(address)}\n${port === undefined ? '' : placesIn(port, ports)}`;
  };
  const ruleTexts = (destination: Destination, names: StandIns) => {
    const twins: StepText[] = [];
    const textOf = (side: ShapeSide) => {
      const text = createStepText(names, { twins: [...twins] });
      twins.push(text);
      return entriesOf(side, destination)
        .map((entry) => entryText(entry, side, text))
        .join('\n');
    };
    const texts = own.map(textOf);
    const endpoints = [...names.endpoints.keys()];
    return { texts: [...texts, ...sides.slice(own.length).map(textOf)], endpoints };
  };
  const shapeOf = (
    destination: Destination,
    senders: readonly Value[],
    endpoints: readonly Value[],
  ): DestinationShape => ({
    endpoints,
    endpointKinds: () =>
      endpointKinds(
        ruleTexts(destination, standIns(destination, senders)).texts.join('\n'),
        new Map(endpoints.map((endpoint) => [endpoint, endpointClassOf(endpoint)])),
      ),
    rules: () => own.map((side) => rulesFor(side, destination, standIns(destination, senders))),
  });
  return (destination, senders) => {
    const { address, use } = destination;
    if (use === 'other' && distinct.some((context) => isLocalAddress(address, context) && !isOfDummy(address, context)))
      return undefined;
    if (sides.some(({ sources }) => sources.has(address))) return undefined;
    const names = standIns(destination, senders);
    const { texts, endpoints } = ruleTexts(destination, names);
    const all = [...names.endpoints.keys()];
    for (const endpoint of all) {
      if (names.others.has(endpoint) || sides.some(({ sources }) => sources.has(endpoint))) return undefined;
    }
    const isKnown = known === undefined ? '' : `${known.has(destinationKey(destination))}`;
    const head = [`${headText(destination, names)}${isKnown}`, ...texts].join('\n|\n');
    const classesOf = all.map(endpointClassOf);
    return {
      key: `${head}\n|\n${classesOf.join('\n')}`,
      anyOrderKey: () =>
        treatsAlike(texts, all.length) ? `${head}\n|\n${[...classesOf].sort().join('\n')}` : undefined,
      shape: shapeOf(destination, senders, endpoints),
    };
  };
}

function destinationKey({ address, use, protocolPorts: [first] }: Destination): string {
  return use === 'other' ? `${address}` : `${address} ${first?.protocol} ${first?.port}`;
}

function remembered<T>(make: (address: Value) => T): (address: Value) => T {
  const made = new Map<Value, T>();
  return (address) => {
    const known = made.get(address);
    if (known !== undefined) return known;
    const one = make(address);
    made.set(address, one);
    return one;
  };
}

function standIns({ address, use, protocolPorts }: Destination, senders: readonly Value[]): StandIns {
  const port = use === 'other' ? undefined : protocolPorts[0]?.port;
  return { address, port, endpoints: new Map(senders.map((sender, at) => [sender, at])), others: new Map() };
}

/** What is said about each endpoint, in the order of their placeholders, with itself in place of its number. */
function endpointKinds(rules: string, classes: ReadonlyMap<Value, number>): ReadonlyMap<Value, string> {
  const said = [...classes.values()].map((own) => [`${own}`]);
  for (const [part] of rules.matchAll(/[^\n{};,]*\$E\d+[^\n{};,]*/g)) {
    for (const number of new Set([...part.matchAll(/\$E(\d+)/g)].map(([, digits]) => Number(digits)))) {
      said[number]?.push(part.replace(/\$E(\d+)/g, (whole, digits) => (Number(digits) === number ? '$E' : whole)));
    }
  }
  return new Map([...classes.keys()].map((endpoint, number) => [endpoint, (said[number] ?? []).join('\n')]));
}

/** The rules that a shape was made from. */
function rulesFor(side: ShapeSide, destination: Destination, names: StandIns): readonly WalkRule[] {
  const text = createStepText(names, { keepsRules: true });
  for (const entry of entriesOf(side, destination)) entryText(entry, side, text);
  return text.rules;
}

interface ShapeSide {
  readonly context: WalkContext;
  readonly byAddress: ReadonlyMap<Value, readonly Mention[]>;
  readonly byNodePort: ReadonlyMap<Value, readonly Mention[]>;
  /** Elements for one address as sender and destination: endpoints that reach themselves. */
  readonly hairpins: ReadonlyMap<Value, readonly Mention[]>;
  /** Networks that rules match, of senders or destinations. */
  readonly ranges: readonly ValueRange[];
  /** Ports that rules match at any address. */
  readonly ports: readonly ValueRange[];
  /** Addresses that rules match as senders. */
  readonly sources: ReadonlySet<Value>;
  /** How many rules for all destinations come before a rule in its chain. */
  readonly placeOf: (rule: WalkRule) => number;
}

function shapeSide(context: WalkContext, mentions: readonly Mention[]): ShapeSide {
  const byAddress = new Map<Value, Mention[]>();
  const byNodePort = new Map<Value, Mention[]>();
  const hairpins = new Map<Value, Mention[]>();
  const ranges: ValueRange[] = [];
  const ports: ValueRange[] = [];
  const narrow = new Set<WalkRule>();
  for (const mention of mentions) {
    const { address, port, isNodePort, origin, source } = mention;
    if (source !== undefined && source === address?.first) {
      append(hairpins, source, mention);
      continue;
    }
    if (address !== undefined && address.first === address.last) {
      append(byAddress, address.first, mention);
      if (origin.kind === 'rule') narrow.add(origin.rule);
    } else if (address === undefined && isNodePort && port !== undefined) {
      append(byNodePort, port.first, mention);
      if (origin.kind === 'rule') narrow.add(origin.rule);
    } else {
      if (address !== undefined) ranges.push(address);
      if (port !== undefined) ports.push(port);
    }
  }
  const sources = new Set<Value>();
  for (const table of context.input.tables) {
    for (const chain of sharedChains(table, context)) {
      for (const rule of chainRules(chain, context)) if (!narrow.has(rule)) noteSources(rule, ranges, sources);
    }
  }
  const places = new Map<WalkChain, ReadonlyMap<WalkRule, number>>();
  const placeOf = (rule: WalkRule): number => {
    let known = places.get(rule.chain);
    if (known === undefined) {
      const made = new Map<WalkRule, number>();
      let before = 0;
      for (const one of chainRules(rule.chain, context)) {
        made.set(one, before);
        if (!narrow.has(one)) before += 1;
      }
      known = made;
      places.set(rule.chain, known);
    }
    return known.get(rule) ?? 0;
  };
  return { context, byAddress, byNodePort, hairpins, ranges, ports, sources, placeOf };
}

function append<K>(map: Map<K, Mention[]>, key: K, mention: Mention): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [mention]);
  else known.push(mention);
}

/** Senders that a rule for all destinations matches: networks make classes, single addresses are distinguished. */
function noteSources(rule: WalkRule, ranges: ValueRange[], sources: Set<Value>): void {
  for (const step of rule.steps) {
    if (step.kind !== 'ask') continue;
    const open = [step.condition];
    for (const condition of open) {
      if (condition.kind === 'all' || condition.kind === 'any') open.push(...condition.conditions);
      else if (condition.kind === 'not') open.push(condition.condition);
      else if (condition.kind === 'values' && sourceFields.has(condition.field)) {
        for (const range of condition.ranges) {
          if (range.first === range.last) sources.add(range.first);
          else ranges.push(range);
        }
      }
    }
  }
}

const sourceFields: ReadonlySet<string> = new Set(['source', 'originalSource', 'replySource', 'replyDestination']);

/** The mentions that packets to the destination may meet, in the order of the rules. */
function entriesOf(side: ShapeSide, { address, use, protocolPorts }: Destination): readonly Mention[] {
  const own = side.byAddress.get(address) ?? [];
  const [protocolPort] = protocolPorts;
  if (use === 'other') return own.filter(({ port }) => port === undefined);
  const isMet = ({ protocol, port }: Mention) =>
    (protocol === undefined ||
      (protocol.first <= (protocolPort?.protocol ?? 0) && (protocolPort?.protocol ?? 0) <= protocol.last)) &&
    (port === undefined ||
      (protocolPort?.port !== undefined && port.first <= protocolPort.port && protocolPort.port <= port.last));
  const isHere = protocolPort?.port !== undefined && isLocalAddress(address, side.context);
  const nodePorts = isHere ? (side.byNodePort.get(protocolPort.port) ?? []).filter(isMet) : [];
  return [...own.filter(isMet), ...nodePorts];
}

function entryText({ origin }: Mention, side: ShapeSide, text: StepText): string {
  switch (origin.kind) {
    case 'rule': {
      const { chain } = origin.rule;
      return `${chain.table.family} ${chain.table.name} ${chain.name} ${side.placeOf(origin.rule)} ${text.rule(origin.rule)}`;
    }
    case 'element':
      return `${origin.set} ${text.element(origin.element, origin.key, origin.table)}`;
    case 'member':
      return `${origin.set} ${text.member(origin.member)}`;
    case 'server':
      return text.server(origin.service);
  }
}

/** If rules mention an endpoint itself, as policies do, it has no equals; rules for reaching itself are common. */
function elsewhereText(address: Value, { byAddress, hairpins }: ShapeSide): string {
  if (!byAddress.has(address) && !hairpins.has(address)) return ' ';
  const own = (hairpins.get(address) ?? []).map(({ origin, protocol, port }) => {
    const set = origin.kind === 'element' || origin.kind === 'member' ? origin.set : '';
    return `${set} ${protocol?.first ?? ''} ${port?.first ?? ''}-${port?.last ?? ''}`;
  });
  return `${byAddress.has(address) ? address : ''} ${own.sort().join(',')}`;
}

/** In which of the ranges a value is. */
function placesIn(value: Value, ranges: readonly ValueRange[]): string {
  let text = '';
  for (const { first, last } of ranges) text += first <= value && value <= last ? '1' : '0';
  return text;
}

function withoutTwins(ranges: readonly ValueRange[]): readonly ValueRange[] {
  return [...new Map(ranges.map((range) => [`${range.first} ${range.last}`, range])).values()];
}
