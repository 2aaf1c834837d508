import { addressValue } from '../../../netfilter/addressRanges.ts';
import { canMatch, type KnownPacket } from '../../../netfilter/canMatch.ts';
import { protocolNumber } from '../../../netfilter/iptables/values/protocols.ts';
import type { Step } from '../../../netfilter/meaning.ts';

/** What a rule can match: traffic of a Service in the dump, only other ports of a Service's address, or neither. */
export type MatchedTraffic = 'service' | 'address' | 'none';

/** The destination of packets to a Service port. */
export interface ServiceDestination {
  /** Any port of the address; undefined: a node port on addresses that the dump does not show. */
  readonly host: KnownPacket | undefined;
  readonly port: KnownPacket;
}

/** The destination for a Service's address; for a node port, without an address. */
export function destinationOf(ip: string | undefined, protocol: string, port: number): ServiceDestination {
  const ports = { protocol: Number(protocolNumber(protocol)), destinationPort: port };
  const destination = ip === undefined ? undefined : addressValue(ip);
  if (destination === undefined) return { host: undefined, port: { values: ports } };
  // The addresses of the node are unknown here; those of Services are usually not among them.
  const host = { destination, family: typeof destination === 'number' ? 2 : 10 };
  return {
    host: { values: host, isNotTo: 'local' },
    port: { values: { ...host, ...ports }, isNotTo: 'local' },
  };
}

/** Decided by what a rule says about each destination. */
export function matchedTraffic(destinations: readonly ServiceDestination[], steps: readonly Step[]): MatchedTraffic {
  let most: MatchedTraffic = 'none';
  for (const { host, port } of destinations) {
    if (host !== undefined && !canMatch(steps, host)) continue;
    if (canMatch(steps, port)) return 'service';
    if (host !== undefined) most = 'address';
  }
  return most;
}
