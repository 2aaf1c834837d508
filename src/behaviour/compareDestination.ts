import type { Family } from '../common/family.ts';
import type { Value } from '../netfilter/meaning.ts';
import { interfaceTo } from '../trace/interfaceTo.ts';
import { startFlow } from '../trace/startFlow.ts';
import type { TracePacket } from '../trace/tracePacket.ts';
import type { WalkContext } from '../walk/context.ts';
import { hasValue, onlyValue, single, type ValueSet } from '../walk/valueSet.ts';
import { sourceTowards } from '../walk/walkFlow.ts';
import { isLoopback } from '../walk/ways.ts';
import type { BehaviourFinding } from './behaviourFinding.ts';
import type { BehaviourOptions } from './behaviourOptions.ts';
import { compareDistributions, usualTolerance } from './compareDistributions.ts';
import type { DestinationName } from './destinationNames.ts';
import type { Destination, Probe } from './destinations.ts';
import { arrivalsOf, type Distribution, distributionOf } from './distribution.ts';
import { endpointSenders, type SenderKind, type Senders } from './senders.ts';
import { sourceCells } from './sourceCells.ts';
import { sourcePortsApart } from './sourcePortsApart.ts';

/** One destination, and what it is compared with. */
export interface DestinationTask {
  readonly family: Family;
  readonly destination: Destination;
  readonly name: DestinationName;
  readonly contexts: readonly [WalkContext, WalkContext];
  readonly entrances: readonly Senders[];
  readonly options: BehaviourOptions;
}

export interface ComparedDestination {
  readonly findings: readonly BehaviourFinding[];
  /** Of which nobody can tell. */
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
    findings: task.options.keepsSame ? compared.findings : merged(compared.findings, task.family),
    open: merged(compared.open, task.family),
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
  for (const probe of destination.probes) {
    // What becomes of SCTP from the node to itself nobody knows, and no Service asks for it here.
    if (entrance.kind === 'node' && destination.use === 'other' && probe.protocol === sctp) continue;
    for (const { source, alike, cell } of sendersOf(entrance, probe, task, except)) {
      for (const { packet, a, b } of walked({ source, entrance, probe, task })) {
        for (const address of [...arrivalsOf(a), ...arrivalsOf(b)]) arrivals.add(address);
        if (!isWanted) continue;
        compared.classes += 1;
        const verdict = compareDistributions(a, b, tolerance);
        if (verdict === 'same' && !options.keepsSame) continue;
        const common = {
          entrance: entrance.kind,
          destination,
          name: task.name,
          protocols: [probe.protocol],
          sources: cell,
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
          const own = walkedBy({ source: other, entrance, probe, task }, packet.sourcePort);
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

/** Packets of one sender by one protocol to one destination. */
interface Sending {
  readonly source: Value;
  readonly entrance: Senders;
  readonly probe: Probe;
  readonly task: DestinationTask;
}

interface WalkedPacket {
  readonly packet: TracePacket;
  readonly a: Distribution;
  readonly b: Distribution;
}

/** From any port; where rules tell source ports apart, from one of each kind. */
function walked(sending: Sending): readonly WalkedPacket[] {
  const whole = walkedBy(sending);
  const ports = sourcePortsApart([whole.a, whole.b]);
  return ports.length === 0 ? [whole] : ports.map((port) => walkedBy(sending, port));
}

function walkedBy({ source, entrance, probe, task }: Sending, sourcePort?: number): WalkedPacket {
  const [one, other] = task.contexts;
  const packet = { ...packetOf(source, entrance, probe, task, one), sourcePort };
  const a = distributionOf(packet, one);
  if (one === other) return { packet, a, b: a };
  return { packet, a, b: distributionOf({ ...packetOf(source, entrance, probe, task, other), sourcePort }, other) };
}

interface Sender {
  readonly source: Value;
  /** Others of the cell who are known by name: what differs for one is shown for each. */
  readonly alike: readonly Value[];
  readonly cell: ValueSet;
}

/** One sender of each cell: the node's own address, or of the others the best known. */
function sendersOf(
  entrance: Senders,
  probe: Probe,
  task: DestinationTask,
  except: ReadonlySet<Value>,
): readonly Sender[] {
  const { destination } = task;
  if (entrance.kind === 'node') {
    const source = ownSource(destination.address, task.contexts);
    return source === undefined ? [] : [{ source, alike: [], cell: single(source) }];
  }
  const only = onlyValue(entrance.sources);
  if (only !== undefined) return except.has(only) ? [] : [{ source: only, alike: [], cell: entrance.sources }];
  const starts = [...new Set(task.contexts)].map((own) => {
    const sample = entrance.samples[0] ?? (entrance.sources[0]?.first as Value);
    const flow = startFlow(packetOf(sample, entrance, probe, task, own), own);
    const packet = { ...flow.packet, source: entrance.sources };
    return { flow: { ...flow, packet, entry: packet }, context: own };
  });
  return sourceCells(entrance.sources, starts).flatMap((cell): readonly Sender[] => {
    const named = firstSamples(entrance.samples, (sample) => hasValue(cell, sample) && !except.has(sample));
    const [source = freeAddress(cell, except, destination.address), ...alike] = named;
    return source === undefined ? [] : [{ source, alike: alike.length < mostAlike ? alike : [], cell }];
  });
}

/** The address that the node chooses; where it holds the destination itself, as in IPVS mode, only one side may do so. */
function ownSource(destination: Value, contexts: readonly WalkContext[]): Value | undefined {
  for (const context of contexts) {
    const source = sourceTowards(single(destination), context);
    if (source !== undefined) return source;
  }
  return undefined;
}

/** Of more known senders, as Pods of a large node, the first stands for all. */
const mostAlike = 64;

/** Enough of them to see that they are more: a cluster has tens of thousands of Pods elsewhere. */
function firstSamples(samples: readonly Value[], isAsked: (sample: Value) => boolean): readonly Value[] {
  const found: Value[] = [];
  for (const sample of samples) {
    if (isAsked(sample)) found.push(sample);
    if (found.length > mostAlike) break;
  }
  return found;
}

/** An address of the cell that sounds like a host: not the network's first. */
function freeAddress(cell: ValueSet, except: ReadonlySet<Value>, destination: Value): Value | undefined {
  for (const steps of [usualSteps, fewSteps]) {
    for (const { first, last } of cell) {
      for (const step of steps) {
        const address = typeof first === 'bigint' ? first + BigInt(step) : first + step;
        if (address <= last && !except.has(address) && address !== destination) return address;
      }
    }
  }
  return undefined;
}

const usualSteps = [9, 8, 7, 6, 5, 4, 3, 2];
const fewSteps = [1, 0];

function packetOf(
  source: Value,
  entrance: Senders,
  probe: Probe,
  task: DestinationTask,
  context: WalkContext,
): TracePacket {
  const { destination, family, options } = task;
  const isOwn = entrance.kind === 'node';
  const inInterface = isOwn
    ? undefined
    : entrance.kind === 'pod'
      ? (interfaceTo(source, context) ?? entrance.inInterface)
      : entrance.inInterface;
  return {
    family,
    protocol: probe.protocol,
    source: isOwn ? (ownSource(destination.address, [context]) ?? source) : source,
    sourcePort: undefined,
    destination: destination.address,
    destinationPort: probe.port,
    origin: isOwn ? 'local' : 'forwarded',
    inInterface,
    inPort: undefined,
    flags: undefined,
    state: options.state === 'established' ? 'established' : undefined,
    mark: 0,
  };
}

/** Senders of one entrance that meet the same on both sides are one finding; endpoints where each meets itself likewise. */
function merged(findings: readonly BehaviourFinding[], family: Family): readonly BehaviourFinding[] {
  const known = new Map<string, BehaviourFinding>();
  const bits = family === 'ipv6' ? 'v6' : 'v4';
  for (const finding of findings) {
    const own = finding.packet.source;
    const isEndpoint = finding.entrance === 'endpoint' || finding.entrance === 'remote-endpoint';
    const key = isEndpoint
      ? `${bits} ${finding.entrance} ${relative(finding.a, own)} | ${relative(finding.b, own)}`
      : `${bits} ${finding.entrance} ${senderKey(finding)}`;
    const before = known.get(key);
    known.set(key, before === undefined ? finding : { ...before, sources: [...before.sources, ...finding.sources] });
  }
  return [...known.values()];
}

/** A distribution as its sender sees it: itself, or others. */
function relative({ outcomes }: Distribution, own: Value): string {
  const counts = new Map<string, number>();
  for (const [key, { outcome }] of outcomes) {
    const { kind, at, isMasqueraded } = outcome;
    const text = kind === 'arrives' ? `${at?.address === own ? 'itself' : 'another'} ${isMasqueraded}` : key;
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return [...counts]
    .map(([text, count]) => `${text} ${count}`)
    .sort()
    .join(', ');
}
