import type { Family } from '../common/addresses/family.ts';
import type { Value, ValueRange } from '../common/ranges/valueRange.ts';
import { single } from '../common/ranges/valueSet.ts';
import { isLoopback } from '../walk/ways.ts';
import type { BehaviourFinding } from './behaviourFinding.ts';
import { compareDistributions } from './outcome/compareDistributions.ts';
import { arrivalsOf, type Distribution } from './outcome/distribution.ts';
import type { BehaviourOutcome } from './outcome/outcome.ts';
import { usualTolerance } from './outcome/usualTolerance.ts';
import type { DestinationTask } from './packets/destinationTask.ts';
import { sampledSenders } from './packets/sampledSenders.ts';
import { areEndpoints, type SenderKind } from './packets/senderKinds.ts';
import { endpointSenders, type Senders } from './packets/senders.ts';
import { walkedPacket, walkedPackets } from './packets/walkedPackets.ts';

export interface ComparedDestination {
  readonly findings: readonly BehaviourFinding[];
  /** Of which cannot be told. */
  readonly open: readonly BehaviourFinding[];
  readonly classes: number;
  /** Endpoints that packets came to, on either side. */
  readonly arrivals: readonly Value[];
}

interface Draft {
  readonly findings: BehaviourFinding[];
  readonly open: BehaviourFinding[];
  classes: number;
}

/**
 * Senders that are nobody's endpoint first: what arrives tells who the endpoints are, which send too. `kinds`: endpoints of
 * one kind fare alike as senders, one of them is walked for all.
 */
export function compareDestination(
  task: DestinationTask,
  senders: readonly Value[],
  kinds?: () => ReadonlyMap<Value, string>,
): ComparedDestination {
  const compared: Draft = { findings: [], open: [], classes: 0 };
  const arrivals = new Set<Value>(senders);
  const isLoopbackAddress = isLoopback(task.destination.address);
  // No router passes on what is sent to 127.0.0.1 or ::1.
  const isWanted = ({ kind }: { readonly kind: SenderKind }) =>
    (task.options.entrances === undefined || task.options.entrances.includes(kind)) &&
    (kind === 'node' || !isLoopbackAddress);
  const late = task.entrances.filter(({ kind }) => kind === 'pod' || kind === 'remote-pod');
  for (const entrance of task.entrances.filter((one) => !late.includes(one))) {
    compareEntrance(task, entrance, arrivals, arrivals, compared, isWanted(entrance));
  }
  const endpoints = new Set(arrivals);
  for (const entrance of late) compareEntrance(task, entrance, endpoints, arrivals, compared, isWanted(entrance));
  for (const [address, ...alike] of alikeBy(arrivals, kinds)) {
    const entrance = endpointSenders(address, task.contexts[0]);
    if (entrance === undefined) continue;
    const own: Draft = { findings: [], open: [], classes: 0 };
    compareEntrance(task, entrance, new Set(), new Set(), own, isWanted(entrance));
    compared.classes += own.classes * (1 + alike.length);
    for (const finding of own.findings) compared.findings.push(sentBy(finding, alike));
    for (const finding of own.open) compared.open.push(sentBy(finding, alike));
  }
  return {
    findings: task.options.keepsSame ? compared.findings : merged(compared.findings, task.family, arrivals),
    open: merged(compared.open, task.family, arrivals),
    classes: compared.classes,
    arrivals: [...arrivals],
  };
}

type Alike = readonly [Value, ...Value[]];

function alikeBy(
  addresses: ReadonlySet<Value>,
  kinds: (() => ReadonlyMap<Value, string>) | undefined,
): readonly Alike[] {
  const known = addresses.size > 1 ? kinds?.() : undefined;
  const groups = new Map<Value | string, [Value, ...Value[]]>();
  for (const address of addresses) {
    const kind = known?.get(address) ?? address;
    const group = groups.get(kind);
    if (group === undefined) groups.set(kind, [address]);
    else group.push(address);
  }
  return [...groups.values()];
}

function sentBy(finding: BehaviourFinding, alike: readonly Value[]): BehaviourFinding {
  if (alike.length === 0) return finding;
  return { ...finding, sources: [...finding.sources, ...alike.flatMap(single)] };
}

/** Compares what each cell of senders meets; packets that arrive somewhere tell more endpoints. */
function compareEntrance(
  task: DestinationTask,
  entrance: Senders,
  except: ReadonlySet<Value>,
  arrivals: Set<Value>,
  compared: Draft,
  isWanted: boolean,
): void {
  const { destination, options } = task;
  const tolerance = options.tolerance ?? usualTolerance;
  const differing = new Map<string, BehaviourFinding>();
  for (const protocolPort of destination.protocolPorts) {
    // What becomes of SCTP from the node to itself nobody knows, and no Service asks for it here.
    if (entrance.kind === 'node' && destination.use === 'other' && protocolPort.protocol === sctp) continue;
    for (const { source, alike, cell } of sampledSenders(entrance, protocolPort, task, except)) {
      for (const { packet, a, b } of walkedPackets({ source, entrance, protocolPort, task })) {
        for (const address of [...arrivalsOf(a), ...arrivalsOf(b)]) arrivals.add(address);
        if (!isWanted) continue;
        compared.classes += 1 + alike.length;
        const verdict = compareDistributions(a, b, tolerance);
        if (verdict === 'same' && !options.keepsSame) continue;
        const common = {
          entrance: entrance.kind,
          destination,
          name: task.name,
          protocols: [protocolPort.protocol],
          sources: cell(),
        };
        const finding: BehaviourFinding = { ...common, packet, a, b };
        if (options.keepsSame) {
          compared.findings.push(finding);
          continue;
        }
        if (verdict === 'unknown') {
          compared.open.push(finding);
          continue;
        }
        noteDiffering(finding, differing);
        for (const other of alike) {
          const own = walkedPacket({ source: other, entrance, protocolPort, task }, packet.sourcePort);
          noteDiffering({ ...common, ...own }, differing);
        }
      }
    }
  }
  for (const finding of differing.values()) compared.findings.push(finding);
}

const sctp = 132;

/** Of all other ports and protocols one packet stands for those of the same sender. */
function noteDiffering(finding: BehaviourFinding, differing: Map<string, BehaviourFinding>): void {
  const key = senderKey(finding);
  const known = differing.get(key);
  differing.set(key, known ? { ...known, protocols: [...known.protocols, ...finding.protocols] } : finding);
}

function senderKey({ packet: { source, sourcePort } }: BehaviourFinding): string {
  return sourcePort === undefined ? `${source}` : `${source} ${sourcePort}`;
}

/**
 * Senders of one entrance that meet the same on both sides are one finding; endpoints where each meets itself likewise, in
 * the order in which packets came to them.
 */
function merged(
  findings: readonly BehaviourFinding[],
  family: Family,
  arrivals: ReadonlySet<Value>,
): readonly BehaviourFinding[] {
  const known = new Map<string, BehaviourFinding>();
  const bits = family === 'ipv6' ? 'v6' : 'v4';
  for (const finding of findings) {
    const own = finding.packet.source;
    const key = areEndpoints(finding.entrance)
      ? `${bits} ${finding.entrance} ${relative(finding.a, own)} | ${relative(finding.b, own)}`
      : `${bits} ${finding.entrance} ${senderKey(finding)}`;
    const before = known.get(key);
    known.set(key, before === undefined ? finding : { ...before, sources: [...before.sources, ...finding.sources] });
  }
  const places = new Map([...arrivals].map((address, at) => [address, at]));
  const placeOf = ({ first }: ValueRange) => places.get(first) ?? 0;
  return [...known.values()].map((finding) =>
    areEndpoints(finding.entrance)
      ? { ...finding, sources: [...finding.sources].sort((one, other) => placeOf(one) - placeOf(other)) }
      : finding,
  );
}

/** A distribution as its sender sees it: itself, or others. */
function relative({ outcomes }: Distribution, own: Value): string {
  const counts = new Map<string, number>();
  for (const [key, { outcome }] of outcomes) {
    const text = relativeOutcome(outcome, own) ?? key;
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts]
    .map(([text, count]) => `${text} ${count}`)
    .sort()
    .join(', ');
}

/** Undefined: it is the same for every sender. */
function relativeOutcome({ kind, at, source, isMasqueraded }: BehaviourOutcome, own: Value): string | undefined {
  switch (kind) {
    case 'arrives':
      return `${at?.address === own ? 'itself' : 'another'} ${isMasqueraded}`;
    case 'leaves':
      return `leaves ${source === own ? 'own' : source}`;
    default:
      return undefined;
  }
}
