import type { Family } from '../../common/addresses/family.ts';
import { prefixRange } from '../../common/ranges/prefixRange.ts';
import { cut, single, type ValueSet } from '../../common/ranges/valueSet.ts';
import { addressValue } from '../../netfilter/addressRanges.ts';
import type { NodeRules } from '../../node/nodeRules.ts';
import { newNotes, type WalkContext } from '../../walk/context.ts';
import type { Packet } from '../../walk/flow.ts';
import { beginFlow, copyOfFlow, unseenConnection } from '../../walk/flowShape.ts';
import { walkBaseChain } from '../../walk/hooks/walkBaseChain.ts';
import type { WalkTable } from '../../walk/input/walkInput.ts';
import { walkInputOf } from '../../walk/input/walkInputOf.ts';
import { one } from '../../walk/values/fraction.ts';
import type { PolicyGate } from './policyGates.ts';

/** First packets of connections that fare alike. `unknown`: the dump does not show what decides about them. */
export interface JudgedPackets {
  readonly packet: Packet;
  readonly verdict: 'allowed' | 'denied' | 'unknown';
}

/** What a chain that judges the connections of a Pod does with these packets; all of them, divided by what becomes of them. */
export type GateJudge = (chain: string, packet: Packet) => readonly JudgedPackets[];

/** Sends packets through chains of one table of a node alone: whatever leads to them has let the packets in. */
export function gateJudge(node: NodeRules, family: Family, table: WalkTable['name']): GateJudge {
  const input = walkInputOf(node, family);
  const chains = input.tables.find(({ name }) => name === table)?.chains;
  const context: WalkContext = {
    input,
    seen: new Map(),
    elapsed: 0,
    notes: newNotes(),
    caches: new Map(),
  };
  return (name, packet) => {
    const chain = chains?.get(name);
    if (chain === undefined) return [{ packet, verdict: 'unknown' }];
    const connection = { ...unseenConnection, state: 'new' } as const;
    const start = { packet, origin: 'forwarded', inInterface: undefined, inPort: undefined, mark: 0 } as const;
    const flow = copyOfFlow(beginFlow({ ...start, connection, share: one }));
    flow.hook = 'forward';
    return walkBaseChain(chain, flow, context).map((left): JudgedPackets => {
      const verdict = left.verdict === 'accept' ? 'allowed' : left.verdict === 'drop' ? 'denied' : 'unknown';
      // An open condition stands on the way: the same packets may go two ways.
      return { packet: left.flow.entry, verdict: left.flow.share === undefined ? 'unknown' : verdict };
    });
  };
}

/** All first packets that come to a gate, a set for each protocol. */
export function packetsOf({ address, direction }: Pick<PolicyGate, 'address' | 'direction'>): readonly Packet[] {
  const own = addressValue(address);
  if (own === undefined) return [];
  const isV6 = typeof own === 'bigint';
  const peers = cut([prefixRange(own, 0)], single(own)).outside;
  const [source, destination] = direction === 'ingress' ? [peers, single(own)] : [single(own), peers];
  const ported = [tcp, udp, sctp].map((protocol): Packet => {
    const tcpFlags = protocol === tcp ? syn : undefined;
    const ports = { sourcePort: everyPort, destinationPort: everyPort };
    return { source, destination, protocol: single(protocol), ...ports, tcpFlags, icmp: undefined };
  });
  const echo: Packet = {
    source,
    destination,
    protocol: single(isV6 ? 58 : 1),
    sourcePort: undefined,
    destinationPort: undefined,
    tcpFlags: undefined,
    icmp: { type: isV6 ? 128 : 8, code: 0 },
  };
  return [...ported, echo];
}

export const everyPort: ValueSet = [{ first: 1, last: 65_535 }];
const [tcp, udp, sctp] = [6, 17, 132];
const syn = 2;
