import { pushAll } from '../../common/pushAll.ts';
import { onlyValue } from '../../common/ranges/valueSet.ts';
import { addressValue } from '../../netfilter/addressRanges.ts';
import { memoryOf } from '../../trace/known/memoryOf.ts';
import type { NodeTracer } from '../../trace/nodeTracer.ts';
import { arrives, isAnswered, type TracedOutcome } from '../../trace/traceResult.ts';
import type { Seen } from '../../trace/tracer.ts';
import { isTranslated } from '../../walk/ask/isTranslated.ts';
import { rejectionText } from '../../walk/hooks/rejectionText.ts';
import { type Fraction, one, times } from '../../walk/values/fraction.ts';
import { addressText } from '../../walk/values/text.ts';
import type { LabNode, LabParty } from '../labCluster.ts';
import { serverName } from '../network/serverName.ts';
import { type LabProbe, sourceOf } from './labProbe.ts';

/** What becomes of a connection, by the walk. */
export interface PredictedOutcome {
  readonly end:
    | { readonly kind: 'answered'; readonly by: string; readonly sawSource: string }
    | { readonly kind: 'refused' | 'timeout' | 'unreachable' }
    | { readonly kind: 'unknown'; readonly why: string };
  /** Undefined: a condition that nobody can answer is on the way. */
  readonly share: Fraction | undefined;
  /** What it leaves in the lists of each node. */
  readonly memory: SeenByNode;
}

export type SeenByNode = ReadonlyMap<string, readonly Seen[]>;

/** The nodes of a lab that have rules, and everybody in it. */
export interface WalkedLab {
  readonly tested: LabNode;
  readonly tracers: ReadonlyMap<string, NodeTracer>;
  readonly parties: readonly LabParty[];
}

/** Walks the packet of a probe from node to node, and says what its sender will notice, with which chance. */
export function predictProbe(
  lab: WalkedLab,
  probe: LabProbe,
  seen: SeenByNode = new Map(),
): readonly PredictedOutcome[] {
  const source = sourceOf(probe) ?? '';
  const start: Hop = { source, to: probe.to, port: probe.port, share: one, memory: new Map(), isLost: false, hops: 0 };
  const { from } = probe;
  const to = partyAt(lab, probe.to);
  // Nodes know their way to the Pods of others; hosts outside know the nodes and each other only.
  const isByGateway = from.kind === 'outside' && to?.kind !== 'node' && to?.kind !== 'outside';
  const entry = isByGateway ? lab.tested.node : from.node;
  if (entry !== undefined && lab.tracers.has(entry)) {
    return walkAt(lab, entry, from.kind === 'node', start, probe, seen);
  }
  return onwards(lab, start, probe, seen, lab.tested.node);
}

interface Hop {
  readonly source: string;
  readonly to: string;
  readonly port: number | undefined;
  readonly share: Fraction | undefined;
  readonly memory: SeenByNode;
  /** Its answer will not come back through a node behind it. */
  readonly isLost: boolean;
  /** The node that it was walked at last. */
  readonly by?: string;
  readonly hops: number;
}

function walkAt(
  lab: WalkedLab,
  node: string,
  isLocal: boolean,
  hop: Hop,
  probe: LabProbe,
  seen: SeenByNode,
): readonly PredictedOutcome[] {
  const { protocol } = probe;
  const proto = protocol === 'icmp' && hop.to.includes(':') ? 'icmpv6' : protocol;
  const to = hop.port === undefined ? hop.to : serverName(hop.to, hop.port);
  const result = lab.tracers
    .get(node)
    ?.trace({ from: isLocal ? 'node' : hop.source, to, proto }, { seen: seen.get(node) ?? [] });
  // Without rules of the family the node forwards, and that is all.
  if (result === undefined || 'kind' in result) return onwards(lab, hop, probe, seen, undefined);
  const all: PredictedOutcome[] = [];
  for (const outcome of result.outcomes) pushAll(all, afterWalk(lab, node, isLocal, outcome, hop, probe, seen));
  return all;
}

function afterWalk(
  lab: WalkedLab,
  node: string,
  isLocal: boolean,
  outcome: TracedOutcome,
  hop: Hop,
  probe: LabProbe,
  seen: SeenByNode,
): readonly PredictedOutcome[] {
  const { flow, end } = outcome.first;
  const share = outcome.share && hop.share && times(hop.share, outcome.share);
  const memory = new Map([...hop.memory, [node, memoryOf(outcome, 0)]]);
  const ended = (kind: 'refused' | 'timeout' | 'unreachable'): readonly PredictedOutcome[] => [
    { end: { kind }, share, memory },
  ];
  switch (end.kind) {
    case 'dropped':
      return ended('timeout');
    case 'unknown':
      return [{ end: { kind: 'unknown', why: end.why }, share, memory }];
    case 'unroutable':
      return ended(isLocal && end.why === 'no route' ? 'unreachable' : 'timeout');
    case 'rejected': {
      const isTold = outcome.reply !== undefined && arrives(outcome.reply.end) && !hop.isLost;
      return ended(isTold ? rejectedAs(rejectionText(end.rejection, flow), probe.protocol) : 'timeout');
    }
    default: {
      const { packet, connection } = flow;
      const isChanged = isTranslated(connection, 'destination') || isTranslated(connection, 'source');
      const isLost = hop.isLost || (outcome.reply === undefined ? isChanged : !isAnswered(outcome));
      const next: Hop = {
        source: addressOf(packet.source),
        to: addressOf(packet.destination),
        port: packet.destinationPort && Number(onlyValue(packet.destinationPort)),
        share,
        memory,
        isLost,
        by: node,
        hops: hop.hops + 1,
      };
      if (end.kind !== 'delivered') return onwards(lab, next, probe, seen, undefined);
      const here = lab.parties.find((party) => party.kind === 'node' && party.node === node) ?? lab.tested;
      return [arrived(here, next, probe)];
    }
  }
}

function addressOf(values: TracedOutcome['first']['flow']['packet']['source']): string {
  const value = onlyValue(values);
  return value === undefined ? '' : addressText(value);
}

/** Behind a node, or from a sender without rules: directly to the receiver, or to the node that walks it on. */
function onwards(
  lab: WalkedLab,
  hop: Hop,
  probe: LabProbe,
  seen: SeenByNode,
  gateway: string | undefined,
): readonly PredictedOutcome[] {
  const party = partyAt(lab, hop.to);
  const node = party === undefined ? gateway : party.node;
  if (node !== undefined && node !== hop.by && lab.tracers.has(node) && hop.hops < mostHops) {
    return walkAt(lab, node, false, hop, probe, seen);
  }
  if (
    party?.kind === 'outside' &&
    hop.isLost &&
    lab.parties.some((each) => each.kind === 'pod' && has(each, hop.source))
  ) {
    const why = 'whether a host outside knows the way to a Pod is a matter of routes outside';
    return [{ end: { kind: 'unknown', why }, share: hop.share, memory: hop.memory }];
  }
  if (party !== undefined) return [arrived(party, hop, probe)];
  return [{ end: { kind: 'timeout' }, share: hop.share, memory: hop.memory }];
}

const mostHops = 8;

function partyAt({ parties }: WalkedLab, address: string): LabParty | undefined {
  return parties.find((party) => has(party, address));
}

function has({ addresses }: LabParty, address: string): boolean {
  return addresses.includes(address);
}

/** A closed port refuses; either way the answer must find its way back. */
function arrived(
  party: LabParty,
  { to, port, source, isLost, share, memory }: Hop,
  { protocol }: LabProbe,
): PredictedOutcome {
  if (isLost) return { end: { kind: 'timeout' }, share, memory };
  if (protocol === 'icmp') return { end: { kind: 'answered', by: 'echo', sawSource: '-' }, share, memory };
  const server = party.servers.find(
    (each) => each.protocol === protocol && each.port === port && addressValue(each.address ?? '') === addressValue(to),
  );
  if (server === undefined) return { end: { kind: 'refused' }, share, memory };
  return { end: { kind: 'answered', by: server.name ?? party.name, sawSource: source }, share, memory };
}

/** What a socket makes of an error; sockets of datagrams hear only of the lasting ones. */
function rejectedAs(rejection: string, protocol: LabProbe['protocol']): 'refused' | 'unreachable' | 'timeout' {
  if (/^(?:tcp-reset|icmp 3\/[23]|icmpv6 1\/4)$/.test(rejection)) return 'refused';
  const isPassing = /^(?:icmp 3\/[01]|icmpv6 1\/[03])$/.test(rejection);
  return isPassing && protocol === 'udp' ? 'timeout' : 'unreachable';
}
