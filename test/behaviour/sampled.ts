import assert from 'node:assert/strict';
import type { BehaviourFinding } from '../../src/behaviour/behaviourFinding.ts';
import type { BehaviourSide } from '../../src/behaviour/behaviourSide.ts';
import { compareBehaviour } from '../../src/behaviour/compareBehaviour.ts';
import { compareDistributions } from '../../src/behaviour/outcome/compareDistributions.ts';
import { distributionOf } from '../../src/behaviour/outcome/distribution.ts';
import { usualTolerance } from '../../src/behaviour/outcome/usualTolerance.ts';
import { type Destination, destinationsOf } from '../../src/behaviour/packets/destinations.ts';
import { interfacesAsked } from '../../src/behaviour/packets/interfacesAsked.ts';
import type { SenderKind } from '../../src/behaviour/packets/senderKinds.ts';
import { type Senders, sendersOf } from '../../src/behaviour/packets/senders.ts';
import { ruleMentions } from '../../src/behaviour/shape/ruleMentions.ts';
import type { Family } from '../../src/common/addresses/family.ts';
import type { Value } from '../../src/common/ranges/valueRange.ts';
import { single, type ValueSet } from '../../src/common/ranges/valueSet.ts';
import { podRangesOf } from '../../src/seen/settings/podRangesOf.ts';
import { noConditions } from '../../src/trace/known/noConditions.ts';
import { hasPorts } from '../../src/trace/question/hasPorts.ts';
import { interfaceTo } from '../../src/trace/question/interfaceTo.ts';
import type { TracePacket } from '../../src/trace/question/tracePacket.ts';
import type { WalkContext } from '../../src/walk/context.ts';
import { sourceTowards } from '../../src/walk/sourceTowards.ts';
import { isLoopback } from '../../src/walk/ways.ts';

interface Sampled {
  readonly packets: number;
  readonly differing: number;
}

/**
 * Sends random packets through both sides, each by itself: they fare otherwise exactly where the comparison of all packets
 * has a finding for them.
 */
export function sampled(sides: readonly [BehaviourSide, BehaviourSide], count: number, random: () => number): Sampled {
  const { findings, open, families } = compareBehaviour(...sides);
  const byAddress = new Map<Value, BehaviourFinding[]>();
  for (const finding of [...findings, ...open]) {
    const known = byAddress.get(finding.destination.address);
    if (known) known.push(finding);
    else byAddress.set(finding.destination.address, [finding]);
  }
  let [packets, differing] = [0, 0];
  for (const family of families) {
    const [one, other] = sides.map(({ tracer }) => tracer.tracerOf(family).context(noConditions)) as Pair;
    const contexts = [one, other] as const;
    const mentions = contexts.flatMap(ruleMentions);
    const destinations = destinationsOf(mentions, contexts);
    const podRanges = sides.flatMap(({ node }) => podRangesOf(node, family));
    const entrances = sendersOf(one, contexts.flatMap(interfacesAsked), podRanges, [other]);
    const taken = new Set(
      destinations.flatMap(({ use, protocolPorts }) => (use === 'port' ? protocolPorts.map(({ port }) => port) : [])),
    );
    const ports = new Set(destinations.flatMap((one) => (one.use === 'port' ? [portKey(one)] : [])));
    for (let number = 0; number < count; number += 1) {
      const asked = randomPacket(family, destinations, entrances, taken, random);
      if (asked === undefined) continue;
      const pair = contexts.map((context) => packetIn(asked, context));
      if (pair.includes(undefined)) continue;
      const [a, b] = pair.map((packet, at) => distributionOf(packet as TracePacket, contexts[at] as WalkContext));
      if (a === undefined || b === undefined) continue;
      const verdict = compareDistributions(a, b, usualTolerance);
      const found = (byAddress.get(asked.destination.address) ?? []).filter((finding) => isOf(finding, asked, ports));
      packets += 1;
      if (verdict !== 'same') differing += 1;
      assert.equal(found.length > 0, verdict !== 'same', told(asked));
    }
  }
  return { packets, differing };
}

type Pair = [WalkContext, WalkContext];

interface RandomPacket {
  readonly family: Family;
  readonly destination: Destination;
  readonly protocol: number;
  readonly port: number | undefined;
  readonly entrance: Senders;
  readonly source: Value | undefined;
}

function randomPacket(
  family: Family,
  destinations: readonly Destination[],
  entrances: readonly Senders[],
  taken: ReadonlySet<number | undefined>,
  random: () => number,
): RandomPacket | undefined {
  const pick = <T>(all: readonly T[]) => all[Math.floor(random() * all.length)] as T;
  const destination = pick(destinations);
  const entrance = pick(entrances);
  if (entrance.kind !== 'node' && isLoopback(destination.address)) return undefined;
  const protocolPort = pick(destination.protocolPorts);
  const protocol = random() < 0.8 ? protocolPort.protocol : pick([6, 17, 132, family === 'ipv6' ? 58 : 1]);
  if (protocol === 132 && entrance.kind === 'node') return undefined;
  // A port that rules ask for alone counts at samples of the addresses only.
  const known = random() < 0.7 ? protocolPort.port : undefined;
  const port = hasPorts(protocol) ? (known ?? unasked(taken, random)) : undefined;
  const source = entrance.kind === 'node' ? undefined : drawn(entrance.sources, random());
  if (source === destination.address) return undefined;
  return { family, destination, protocol, port, entrance, source };
}

function unasked(taken: ReadonlySet<number | undefined>, random: () => number): number {
  for (;;) {
    const port = 1 + Math.floor(random() * 65_535);
    if (!taken.has(port)) return port;
  }
}

function portKey({ address, protocolPorts: [protocolPort] }: Destination): string {
  return `${address} ${protocolPort?.protocol} ${protocolPort?.port}`;
}

function drawn(set: ValueSet, point: number): Value {
  const { first, last } = set[Math.floor(point * set.length)] as ValueSet[number];
  const within = (point * set.length) % 1;
  return typeof first === 'bigint'
    ? first + ((BigInt(last) - first) * BigInt(Math.floor(within * 1e9))) / 1_000_000_000n
    : first + Math.floor(within * (Number(last) - first));
}

function packetIn(asked: RandomPacket, context: WalkContext): TracePacket | undefined {
  const { family, destination, protocol, port, entrance } = asked;
  const isOwn = entrance.kind === 'node';
  const source = asked.source ?? sourceTowards(single(destination.address), context);
  if (source === undefined) return undefined;
  const own = interfaceTo(source, context);
  return {
    family,
    protocol,
    source,
    sourcePort: undefined,
    destination: destination.address,
    destinationPort: port,
    origin: isOwn ? 'local' : 'forwarded',
    inInterface: isOwn ? undefined : entrance.kind === 'pod' ? (own ?? entrance.inInterface) : entrance.inInterface,
    inPort: undefined,
    flags: undefined,
    state: undefined,
    mark: 0,
  };
}

/** Endpoints have findings of their own: they are Pods, here or elsewhere. */
function isOf(finding: BehaviourFinding, asked: RandomPacket, ports: ReadonlySet<string>): boolean {
  const { destination, entrance, sources, protocols } = finding;
  const isAsked = ({ protocolPorts: [protocolPort] }: Destination) =>
    protocolPort?.protocol === asked.protocol && protocolPort.port === asked.port;
  const isPort = ports.has(`${destination.address} ${asked.protocol} ${asked.port}`);
  if (isPort !== (destination.use === 'port')) return false;
  if (isPort ? !isAsked(destination) : !protocols.includes(asked.protocol)) return false;
  const { source } = asked;
  if (source === undefined) return entrance === 'node';
  return (
    sideOf(entrance) === sideOf(asked.entrance.kind) &&
    sources.some(({ first, last }) => first <= source && source <= last)
  );
}

function sideOf(kind: SenderKind): string {
  return kind === 'outside' || kind === 'node' || kind === 'other-node' ? kind : 'pod';
}

function told({ destination, protocol, port, entrance, source }: RandomPacket): string {
  return `${entrance.kind} ${source?.toString(16)} to ${destination.address.toString(16)} ${destination.use} port ${port} protocol ${protocol}`;
}
