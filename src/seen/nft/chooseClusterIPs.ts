import { parseIp } from '../../common/addresses/ip.ts';
import type { NftElement } from '../../netfilter/nft/ast.ts';
import type { PortBook } from '../ports/portBook.ts';
import type { SeenPort } from '../ports/seenPort.ts';

/** An address of a Service port where traffic is rejected. */
export interface RefusedAddress {
  readonly port: SeenPort;
  readonly ip: string;
  readonly element: NftElement;
}

/**
 * Decides which rejected address of a Service port is its cluster IP: one in the set `cluster-ips`. Version 1.29 has no
 * such set: there it is the only address, or the one that is most similar to the cluster IPs of other Services.
 */
export function chooseClusterIPs(
  refused: readonly RefusedAddress[],
  book: PortBook,
  clusterIPs: ReadonlySet<string | undefined>,
): readonly RefusedAddress[] {
  const candidates = new Map<SeenPort, string[]>();
  for (const { port, ip } of refused) {
    if (clusterIPs.size > 0) {
      if (clusterIPs.has(ip)) port.clusterIP ??= ip;
    } else if (port.clusterIP === undefined && !port.eitherIPs.includes(ip)) {
      candidates.set(port, [...(candidates.get(port) ?? []), ip]);
    }
  }
  const known = [...book.all()].find(({ clusterIP }) => clusterIP !== undefined)?.clusterIP;
  const single = [...candidates.values()].find((ips) => ips.length === 1)?.[0];
  const model = known ?? single;
  for (const [port, ips] of candidates) {
    port.clusterIP = ips.reduce((best, ip) => (likeness(ip, model) > likeness(best, model) ? ip : best));
  }
  return refused;
}

/** How many leading bits two addresses have in common. */
function likeness(one: string, other: string | undefined): number {
  const [a, b] = [parseIp(one), parseIp(other ?? '')];
  if (a === undefined || b === undefined || a.family !== b.family) return 0;
  const length = a.family === 'ipv4' ? 32 : 128;
  const differing = BigInt(a.value) ^ BigInt(b.value);
  return length - (differing === 0n ? 0 : differing.toString(2).length);
}
