import type { Value } from '../../common/ranges/valueRange.ts';
import type { WalkRule } from '../../walk/input/walkInput.ts';
import { isLocalAddress } from '../../walk/isLocalAddress.ts';
import type { ComparedFamily } from '../comparedPair.ts';
import type { Destination } from '../packets/destinations.ts';
import { addressClasses } from './addressClasses.ts';
import { endpointKinds } from './endpointKinds.ts';
import { hairpinText } from './hairpinText.ts';
import { isOfDummy } from './isOfDummy.ts';
import { placesIn, withoutTwins } from './placesIn.ts';
import type { Mention } from './ruleMentions.ts';
import { entriesOf, type ShapeSide, shapeSide } from './shapeSide.ts';
import { createStepText, type StepText } from './text/stepText.ts';
import type { StandIns } from './text/stepWriter.ts';
import { treatsAlike } from './treatsAlike.ts';

/**
 * What a destination has in common with others, and its own in their place. Findings keep it, tens of thousands of them:
 * it holds no text, and reads the rules again where somebody asks.
 */
export interface DestinationShape {
  /** In the order of their placeholders. */
  readonly endpoints: readonly Value[];
  /** Their ports, in the order of theirs. */
  readonly targetPorts: readonly number[];
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
  const ports = withoutTwins(sides.flatMap((side) => side.ports));
  const { classOf, endpointClassOf } = addressClasses(sides, interfaces);
  const headText = ({ use, address, protocolPorts }: Destination, { port, targetPorts }: StandIns): string => {
    const kind = use === 'other' ? 'other' : `${protocolPorts[0]?.protocol}`;
    const asked = [...(port === undefined ? [] : [port]), ...targetPorts.keys()];
    return `${kind}\n${classOf(address)}\n${asked.map((one) => placesIn(one, ports)).join(',')}`;
  };
  const ruleTexts = (destination: Destination, names: StandIns) => {
    const { networks, ...written } = writtenRules(destination, names, sides, own.length);
    // A network in the Service's own rules, such as a source range, tells its endpoints apart, too.
    const classOfEndpoint = (endpoint: Value) =>
      [
        endpointClassOf(endpoint),
        placesIn(endpoint, networks),
        ...sides.map(({ hairpins }) => hairpinText(hairpins.get(endpoint) ?? [], destination, names)),
      ].join(' ');
    return { ...written, classOfEndpoint };
  };
  const isFixedPort = (port: number) => sides.some((side) => side.isFixedPort(port));
  const shapeOf = (
    destination: Destination,
    senders: readonly Value[],
    { endpoints, targetPorts }: Pick<DestinationShape, 'endpoints' | 'targetPorts'>,
  ): DestinationShape => ({
    endpoints,
    targetPorts,
    endpointKinds: () => {
      const { texts, classOfEndpoint } = ruleTexts(destination, standIns(destination, senders, isFixedPort));
      return endpointKinds(texts, new Map(endpoints.map((one) => [one, classOfEndpoint(one)])));
    },
    rules: () => own.map((side) => rulesFor(side, destination, standIns(destination, senders, isFixedPort))),
  });
  return (destination, senders) => {
    const { address, use } = destination;
    if (use === 'other' && distinct.some((context) => isLocalAddress(address, context) && !isOfDummy(address, context)))
      return undefined;
    if (sides.some(({ asked }) => asked.sources.has(address))) return undefined;
    const names = standIns(destination, senders, isFixedPort);
    const { texts, classOfEndpoint, ...shown } = ruleTexts(destination, names);
    const all = [...names.endpoints.keys()];
    for (const endpoint of all) {
      if (names.others.has(endpoint) || sides.some(({ asked }) => asked.sources.has(endpoint))) return undefined;
    }
    const isKnown = known === undefined ? '' : `${known.has(destinationKey(destination))}`;
    const head = [`${headText(destination, names)}${isKnown}`, ...texts].join('\n|\n');
    const classesOf = all.map(classOfEndpoint);
    return {
      key: `${head}\n|\n${classesOf.join('\n')}`,
      anyOrderKey: () =>
        treatsAlike(texts, all.length) ? `${head}\n|\n${[...classesOf].sort().join('\n')}` : undefined,
      shape: shapeOf(destination, senders, shown),
    };
  };
}

function destinationKey({ address, use, protocolPorts: [first] }: Destination): string {
  return use === 'other' ? `${address}` : `${address} ${first?.protocol} ${first?.port}`;
}

function standIns(
  { address, use, protocolPorts }: Destination,
  senders: readonly Value[],
  isFixedPort: StandIns['isFixedPort'],
): StandIns {
  const port = use === 'other' ? undefined : protocolPorts[0]?.port;
  const endpoints = new Map(senders.map((sender, at) => [sender, at]));
  return { address, port, endpoints, targetPorts: new Map(), isFixedPort, others: new Map() };
}

/** The rules of all sides for a destination, and whose endpoints those of the first `own` sides name. */
function writtenRules(destination: Destination, names: StandIns, sides: readonly ShapeSide[], own: number) {
  const writers: StepText[] = [];
  const textOf = (side: ShapeSide) => {
    const text = createStepText(names, { twins: [...writers] });
    writers.push(text);
    return entriesOf(side, destination)
      .map((entry) => entryText(entry, side, text))
      .join('\n');
  };
  const first = sides.slice(0, own).map(textOf);
  const endpoints = [...names.endpoints.keys()];
  const targetPorts = [...names.targetPorts.keys()];
  const texts = [...first, ...sides.slice(own).map(textOf)];
  const networks = withoutTwins(writers.flatMap(({ writer }) => writer.networks));
  return { texts, endpoints, targetPorts, networks };
}

/** The rules that a shape was made from. */
function rulesFor(side: ShapeSide, destination: Destination, names: StandIns): readonly WalkRule[] {
  const text = createStepText(names, { keepsRules: true });
  for (const entry of entriesOf(side, destination)) entryText(entry, side, text);
  return text.rules;
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
