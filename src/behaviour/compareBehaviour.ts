import type { Family } from '../common/addresses/family.ts';
import type { Value } from '../common/ranges/valueRange.ts';
import type { InterfaceName } from '../netfilter/meaning.ts';
import { podRangesOf } from '../seen/settings/podRangesOf.ts';
import { noConditions } from '../trace/known/noConditions.ts';
import type { Tracer } from '../trace/tracer.ts';
import type { WalkContext } from '../walk/context.ts';
import { isLocalAddress } from '../walk/isLocalAddress.ts';
import type { BehaviourFinding } from './behaviourFinding.ts';
import type { BehaviourOptions } from './behaviourOptions.ts';
import type { BehaviourSide } from './behaviourSide.ts';
import { type ComparedDestination, compareDestination } from './compareDestination.ts';
import { type DestinationName, destinationNames } from './packets/destinationNames.ts';
import { destinationsOf } from './packets/destinations.ts';
import { destinationsAsked } from './packets/destinationsAsked.ts';
import type { DestinationTask } from './packets/destinationTask.ts';
import { interfacesAsked } from './packets/interfacesAsked.ts';
import type { SenderKind } from './packets/senderKinds.ts';
import { endpointSenders, sendersOf } from './packets/senders.ts';
import { renameComparison, type Walked } from './renameComparison.ts';
import { destinationShapes } from './shape/destinationShape.ts';
import { ruleMentions } from './shape/ruleMentions.ts';

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
   * them.
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
  const findings: BehaviourFinding[] = [];
  const open: BehaviourFinding[] = [];
  const families: Family[] = [];
  const skipped: Family[] = [];
  const contexts: (readonly [WalkContext, WalkContext])[] = [];
  let [destinations, classes] = [0, 0];
  for (const family of ['ipv4', 'ipv6'] as const) {
    const [one, other] = [a, b].map(({ tracer }) => tracer.tracerOf(family)) as [Tracer, Tracer];
    const [hasOne, hasOther] = [one, other].map(({ input }) => input.tables.length > 0 || input.ipvs.length > 0);
    if (!hasOne || !hasOther) {
      if (hasOne || hasOther) skipped.push(family);
      continue;
    }
    families.push(family);
    const first = one.context(noConditions);
    const pair = [first, a === b ? first : other.context(noConditions)] as const;
    contexts.push(pair);
    const comparison = compareFamily(family, [a, b], pair, options, findings, open);
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
  contexts: readonly [WalkContext, WalkContext],
  options: BehaviourOptions,
  findings: BehaviourFinding[],
  open: BehaviourFinding[],
): Counts {
  const mentions = [...new Set(contexts)].map(ruleMentions);
  const mentioned = mentions.flat();
  const interfaces: readonly InterfaceName[] = contexts.flatMap(interfacesAsked);
  const [context] = contexts;
  const all = destinationsAsked(destinationsOf(mentioned, contexts), options.to, family);
  const pods = new Set(context.input.topology.pods.flatMap(({ addresses }) => addresses));
  const nameOf = destinationNames([...new Set(sides)], mentioned, {
    isNode: (address) => contexts.some((one) => isLocalAddress(address, one)),
    isPod: (address) => pods.has(address),
  });
  const podRanges = sides.flatMap(({ node }) => podRangesOf(node, family));
  const entrances = sendersOf(context, interfaces, podRanges, contexts.slice(1));
  const shapeOf = destinationShapes(contexts, mentions, interfaces);
  const alike = new Map<string, Walked>();
  const sameInAnyOrder = new Map<string, ComparedDestination>();
  const counts: Counts = { destinations: 0, classes: 0 };
  // Endpoints by address: an endpoint of one port also sends to other ports.
  const endpoints = new Map<Value, readonly Value[]>();
  for (const [at, destination] of all.entries()) {
    options.onProgress?.(at, all.length);
    const name = nameOf(destination.address, destination.use === 'port' ? destination.protocolPorts[0] : undefined);
    if (!isOfService(name, options.service)) continue;
    if (options.isOfServicePorts && !name.isServicePort) continue;
    counts.destinations += 1;
    const isOther = destination.use === 'other' && name.kind !== 'node';
    const senders = isOther ? oneOfEach(endpoints.get(destination.address) ?? [], context) : [];
    const keyed = options.walksAll ? undefined : shapeOf(destination, senders);
    const shape = keyed?.shape;
    const task: DestinationTask = { family, destination, name, contexts, entrances, options };
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
    const arrivals = shape?.endpoints ?? found.arrivals;
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
