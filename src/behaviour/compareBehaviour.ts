import type { Family } from '../common/addresses/family.ts';
import { onDemand } from '../common/onDemand.ts';
import type { Value } from '../common/ranges/valueRange.ts';
import { podRangesOf } from '../seen/settings/podRangesOf.ts';
import type { WalkContext } from '../walk/context.ts';
import { isLocalAddress } from '../walk/isLocalAddress.ts';
import type { BehaviourFinding } from './behaviourFinding.ts';
import type { BehaviourOptions } from './behaviourOptions.ts';
import type { BehaviourSide } from './behaviourSide.ts';
import { type ComparedDestination, compareDestination } from './compareDestination.ts';
import { type ComparedFamily, type ComparedPair, comparedPair } from './comparedPair.ts';
import { isCutOff, mayBeLost } from './outcome/cutOff.ts';
import { type DestinationName, destinationNames } from './packets/destinationNames.ts';
import { destinationsAsked } from './packets/destinationsAsked.ts';
import type { DestinationTask } from './packets/destinationTask.ts';
import type { SenderKind } from './packets/senderKinds.ts';
import { endpointSenders, sendersOf } from './packets/senders.ts';
import { renameComparison, type Walked } from './renameComparison.ts';
import { destinationShapes } from './shape/destinationShape.ts';
import { sameRules } from './shape/sameRules.ts';

export interface BehaviourComparison {
  readonly findings: readonly BehaviourFinding[];
  /** Classes of packets whose outcome is unknown. */
  readonly open: readonly BehaviourFinding[];
  readonly families: readonly Family[];
  /** Families that only one side shows. */
  readonly skipped: readonly Family[];
  readonly destinations: number;
  /**
   * Counts of senders, destination and protocol: those that were walked on both sides, and those known to be equal to
   * them. A destination for which both sides have the same rules counts as one: nothing is walked there.
   */
  readonly classes: number;
  readonly unknown: readonly { readonly side: 'a' | 'b'; readonly text: string; readonly rule: string }[];
  readonly assumed: readonly string[];
}

/** Walks all classes of packets through the rules of both sides, and keeps those with different outcomes. */
export function compareBehaviour(
  a: BehaviourSide,
  b: BehaviourSide,
  options: BehaviourOptions = {},
): BehaviourComparison {
  return comparePair(comparedPair(a, b), options);
}

/** How the comparison of one pair goes together with that of another. */
export interface PairScope {
  /** Destinations count as alike only if they are so for this pair, too: what is like one of them is like it there. */
  readonly beside?: ComparedPair;
  /** Only these addresses. */
  readonly addresses?: ReadonlySet<Value>;
}

export function comparePair(
  pair: ComparedPair,
  options: BehaviourOptions = {},
  scope: PairScope = {},
): BehaviourComparison {
  const findings: BehaviourFinding[] = [];
  const open: BehaviourFinding[] = [];
  const families: Family[] = [];
  const skipped: Family[] = [];
  const contexts: (readonly [WalkContext, WalkContext])[] = [];
  let [destinations, classes] = [0, 0];
  for (const family of ['ipv4', 'ipv6'] as const) {
    const own = pair.familyOf(family);
    if (own === 'one') skipped.push(family);
    if (own === 'one' || own === 'none') continue;
    families.push(family);
    contexts.push(own.contexts);
    const found: BehaviourFinding[] = [];
    const comparison = compareFamily(family, pair.sides, own, options, scope, found, open);
    const [a, b] = pair.sides;
    const areCut = [isCutOff(a.node, family), isCutOff(b.node, family)] as const;
    for (const one of found) (mayBeLost(one, areCut) ? open : findings).push(one);
    destinations += comparison.destinations;
    classes += comparison.classes;
  }
  return {
    findings,
    open,
    families,
    skipped,
    destinations,
    classes,
    unknown: contexts.flatMap(([one, other]) => [...unknownOf(one, 'a'), ...unknownOf(other, 'b')]),
    assumed: [...new Set(contexts.flatMap((pair) => pair.flatMap(assumedOf)))],
  };
}

interface Counts {
  destinations: number;
  classes: number;
}

function compareFamily(
  family: Family,
  sides: readonly [BehaviourSide, BehaviourSide],
  own: ComparedFamily,
  options: BehaviourOptions,
  scope: PairScope,
  findings: BehaviourFinding[],
  open: BehaviourFinding[],
): Counts {
  const { contexts, interfaces } = own;
  const mentioned = own.mentions.flat();
  const [context] = contexts;
  const all = destinationsAsked(own.destinations, options.to, family);
  const pods = new Set(context.input.topology.pods.flatMap(({ addresses }) => addresses));
  const nameOf = destinationNames([...new Set(sides)], mentioned, {
    isNode: (address) => contexts.some((one) => isLocalAddress(address, one)),
    isPod: (address) => pods.has(address),
  });
  const podRanges = sides.flatMap(({ node }) => podRangesOf(node, family));
  const beside = scope.beside?.familyOf(family);
  const walk = onDemand({
    entrances: () => sendersOf(context, interfaces, podRanges, contexts.slice(1)),
    shapeOf: () => destinationShapes(own, typeof beside === 'object' ? beside : undefined),
  });
  const isWalked = options.walksAll || options.keepsSame || beside !== undefined;
  const hasSameRules = isWalked ? () => false : sameRules(own);
  const alike = new Map<string, Walked>();
  const sameInAnyOrder = new Map<string, ComparedDestination>();
  const counts: Counts = { destinations: 0, classes: 0 };
  // Endpoints by address: an endpoint of one port also sends to other ports.
  const endpoints = new Map<Value, readonly Value[]>();
  for (const [at, destination] of all.entries()) {
    options.onProgress?.(at, all.length);
    if (scope.addresses?.has(destination.address) === false) continue;
    const name = nameOf(destination.address, destination.use === 'port' ? destination.protocolPorts[0] : undefined);
    if (!isOfService(name, options.service)) continue;
    if (options.isOfServicePorts && !name.isServicePort) continue;
    counts.destinations += 1;
    if (hasSameRules(destination)) {
      counts.classes += 1;
      continue;
    }
    const isOther = destination.use === 'other' && name.kind !== 'node';
    const senders = isOther ? oneOfEach(endpoints.get(destination.address) ?? [], context) : [];
    const own = walk.shapeOf(destination, senders);
    const keyed = options.walksAll ? undefined : own;
    const shape = keyed?.shape;
    const task: DestinationTask = { family, destination, name, contexts, entrances: walk.entrances, options };
    const walked = keyed && alike.get(keyed.key);
    const renamed = walked && shape && renameComparison(walked, { shape, destination, name });
    const anyOrderKey = walked === undefined ? keyed?.anyOrderKey() : undefined;
    const same = anyOrderKey === undefined ? undefined : sameInAnyOrder.get(anyOrderKey);
    const found = renamed ?? same ?? compareDestination(task, senders, shape?.endpointKinds);
    if (keyed !== undefined && walked === undefined)
      alike.set(keyed.key, { shape: keyed.shape, destination, compared: found });
    if (anyOrderKey !== undefined && found.findings.length + found.open.length === 0)
      sameInAnyOrder.set(anyOrderKey, found);
    const known = endpoints.get(destination.address) ?? [];
    const arrivals = own?.shape.endpoints ?? found.arrivals;
    if (destination.use === 'port') endpoints.set(destination.address, [...known, ...arrivals]);
    counts.classes += found.classes;
    for (const one of found.findings) findings.push(one);
    for (const one of found.open) open.push(one);
  }
  return counts;
}

/** An endpoint of this node and one of another, if there are. */
function oneOfEach(addresses: readonly Value[], context: WalkContext): readonly Value[] {
  const found = new Map<SenderKind, Value>();
  for (const address of addresses) {
    if (found.size === 2) break;
    const kind = endpointSenders(address, context)?.kind;
    if (kind !== undefined && !found.has(kind)) found.set(kind, address);
  }
  return [...found.values()];
}

function isOfService({ service }: DestinationName, asked: string | undefined): boolean {
  return asked === undefined || service === asked || service?.startsWith(`${asked}:`) === true;
}

function unknownOf({ notes }: WalkContext, side: 'a' | 'b') {
  return [...notes.unknown.values()].map(({ rule, text }) => ({ side, text, rule: rule?.text ?? '' }));
}

function assumedOf({ notes, input }: WalkContext): readonly string[] {
  return [...notes.assumed, ...input.assumed];
}
