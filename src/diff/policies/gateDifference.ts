import { onlyValue, union, type ValueSet } from '../../common/ranges/valueSet.ts';
import type { Packet } from '../../walk/flow.ts';
import { type GateJudge, type JudgedPackets, packetsOf } from './gateJudge.ts';
import { gateKey, type PolicyGate, type PolicyGates } from './policyGates.ts';

/** The rules of one side that enforce policies in one family, and what they do. */
export interface PolicySide extends PolicyGates {
  readonly judge: GateJudge;
  /** Addresses of Pods without rules are shut off as well: what becomes of their connections is not asked here. */
  readonly shutsOthers: boolean;
}

/** Connections by one protocol, with the other end of a Pod's. */
export interface Connections {
  readonly protocol: number;
  readonly peers: ValueSet;
  /** Of the receiver; undefined: the protocol has none. */
  readonly ports: ValueSet | undefined;
}

/** What becomes of the connections of an address in one direction, by the rules of a node and by those that should be there. */
export interface GateDifference {
  readonly address: string;
  readonly direction: PolicyGate['direction'];
  /** Which the node denies, and should not. */
  readonly denied: readonly Connections[];
  /** Which the node allows, and should not. */
  readonly allowed: readonly Connections[];
  /** The node allows every connection. */
  readonly isOpen: boolean;
  /** Of some connections nobody knows what becomes of them, or what the policies say. */
  readonly hasUnknown: boolean;
}

/**
 * Every packet goes through the rules of both sides. Nothing denies the connections of an address without a gate. `exact`:
 * rules that do what the policies say, where the expected ones do not in all cases; only differences are told in which they
 * agree with the expected ones.
 */
export function gateDifference(
  end: Pick<PolicyGate, 'address' | 'direction'>,
  expected: PolicySide,
  found: PolicySide,
  exact?: PolicySide,
): GateDifference {
  const denied: Connections[] = [];
  const allowed: Connections[] = [];
  let [isOpen, hasUnknown] = [true, false];
  for (const packet of packetsOf(end)) {
    for (const should of judged(expected, end, packet)) {
      for (const is of judged(found, end, should.packet)) {
        if (is.verdict !== 'allowed') isOpen = false;
        const isUnknown = is.verdict === 'unknown' || should.verdict === 'unknown';
        if (isUnknown) hasUnknown = true;
        if (isUnknown || is.verdict === should.verdict) continue;
        const agreed = exact === undefined ? [{ ...should, packet: is.packet }] : judged(exact, end, is.packet);
        for (const { packet: part, verdict } of agreed) {
          if (verdict !== should.verdict) hasUnknown = true;
          else (is.verdict === 'denied' ? denied : allowed).push(connectionsOf(part, end));
        }
      }
    }
  }
  return { ...end, denied: merged(denied), allowed: merged(allowed), isOpen, hasUnknown };
}

function judged(
  side: PolicySide,
  end: Pick<PolicyGate, 'address' | 'direction'>,
  packet: Packet,
): readonly JudgedPackets[] {
  const gate = side.gates.get(gateKey(end));
  if (gate !== undefined) return side.judge(gate.chain, packet);
  return [{ packet, verdict: side.shutsOthers ? 'unknown' : 'allowed' }];
}

function connectionsOf(packet: Packet, { direction }: Pick<PolicyGate, 'direction'>): Connections {
  return {
    protocol: Number(onlyValue(packet.protocol)),
    peers: direction === 'ingress' ? packet.source : packet.destination,
    ports: packet.destinationPort,
  };
}

/** Those that differ in one thing alone are one. */
function merged(all: readonly Connections[]): readonly Connections[] {
  const byPorts = new Map<string, Connections>();
  for (const one of all) {
    const key = `${one.protocol} ${setKey(one.ports)}`;
    const known = byPorts.get(key);
    byPorts.set(key, known === undefined ? one : { ...known, peers: union([...known.peers, ...one.peers]) });
  }
  const byPeers = new Map<string, Connections>();
  for (const one of byPorts.values()) {
    const key = `${one.protocol} ${setKey(one.peers)}`;
    const known = byPeers.get(key);
    const ports = known?.ports && one.ports && union([...known.ports, ...one.ports]);
    byPeers.set(key, known === undefined ? one : { ...known, ports });
  }
  return [...byPeers.values()];
}

/** Equal for equal sets. */
export function setKey(set: ValueSet | undefined): string {
  return (set ?? []).map(({ first, last }) => `${first}-${last}`).join(' ');
}
