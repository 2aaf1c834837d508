import { onlyValue, type ValueSet } from '../../../src/common/ranges/valueSet.ts';
import { rejectionText } from '../../../src/walk/hooks/rejectionText.ts';
import type { Ended } from '../../../src/walk/hooks/walkHook.ts';
import { addressText } from '../../../src/walk/values/text.ts';
import { trailItems } from '../../../src/walk/values/trail.ts';
import type { FlowOutcome } from '../../../src/walk/walkFlow.ts';

/** One outcome of a walk in the words of the kernel's trace. */
export interface WalkedOutcome {
  /** `1/3`; `?`: behind a condition that nobody can answer. */
  readonly share: string;
  readonly first: WalkedWay;
  readonly reply?: WalkedWay;
  readonly later?: WalkedWay;
}

export interface WalkedWay {
  readonly events: readonly string[];
  readonly end: string;
  /** `SOURCE > DESTINATION` as it arrives or leaves; `*` for what the kernel draws or nobody knows. */
  readonly packet?: string;
  /** Only one of the ways that chance, or what nobody can answer, leaves it. */
  readonly isOneOfMany?: true;
}

export function walkedOutcome({ first, reply, later }: FlowOutcome): WalkedOutcome {
  const { share } = first.flow;
  return {
    share: share === undefined ? '?' : `${share.num}/${share.den}`,
    first: walkedWay(first, undefined),
    ...(reply && { reply: walkedWay(reply, first) }),
    ...(later && { later: walkedWay(later, first) }),
  };
}

/** `before`: the packet that this one follows. */
function walkedWay(ended: Ended, before: Ended | undefined): WalkedWay {
  const { flow, end } = ended;
  const isUndecided = flow.share === undefined && before?.flow.share !== undefined;
  const packet = end.kind === 'leaves' || end.kind === 'delivered' ? { packet: packetText(ended) } : {};
  return {
    events: eventTexts(ended),
    end: endText(ended),
    ...packet,
    ...(before !== undefined && (flow.choices !== undefined || isUndecided) && { isOneOfMany: true }),
  };
}

function endText({ flow, end }: Ended): string {
  switch (end.kind) {
    case 'leaves':
      return `leaves ${flow.outPort ?? flow.outInterface}`;
    case 'rejected':
      return `rejected: ${rejectionText(end.rejection, flow)}`;
    case 'unroutable':
    case 'unknown':
      return `${end.kind}: ${end.why}`;
    default:
      return end.kind;
  }
}

function packetText({ flow }: Ended): string {
  const { packet, connection } = flow;
  const { sourceBinding, destinationBinding } = connection;
  const source = sourceBinding?.isPortDrawn ? '*' : portText(packet.sourcePort);
  const destination = destinationBinding?.isPortDrawn ? '*' : portText(packet.destinationPort);
  return `${endpoint(packet.source, source)} > ${endpoint(packet.destination, destination)}`;
}

function portText(ports: ValueSet | undefined): string {
  return String((ports && onlyValue(ports)) ?? '*');
}

function endpoint(addresses: ValueSet, port: string): string {
  const address = onlyValue(addresses);
  if (address === undefined) return `*:${port}`;
  return typeof address === 'bigint' ? `[${addressText(address)}]:${port}` : `${addressText(address)}:${port}`;
}

/** The trace is begun in the first hook of IP, behind a device's own chains. */
function eventTexts({ flow }: Ended): readonly string[] {
  const traced = trailItems(flow.path).filter(({ chain }) => chain.table.family !== 'netdev');
  return traced.map(({ chain, rule, verdict, target, policy }) => {
    const { family, name, backend } = chain.table;
    const place = `${backend === 'legacy' ? 'legacy ' : ''}${family} ${name} ${chain.name}`;
    if (verdict === 'policy') return backend === 'legacy' ? `${place} policy` : `${place} policy ${policy}`;
    if (verdict === 'end') return `${place} end`;
    if (backend === 'legacy') return `${place} #${rule?.number}`;
    return `${place} #${rule?.number} ${verdict}${target === undefined ? '' : ` ${target}`}`;
  });
}
