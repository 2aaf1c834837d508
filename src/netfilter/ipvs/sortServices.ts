import { type Bits, parseBits } from '../iptables/values/addressBits.ts';
import type { RealServer, ServiceAddress, VirtualService } from './ast.ts';

/**
 * Services and their servers in one fixed order: IPv4 before IPv6, TCP, UDP, SCTP, then by address and port; marks last.
 * Addresses count as signed 32-bit numbers (192.168.0.1 before 10.0.0.1), because ipvsadm compares them so; where its
 * comparison overflows, it has no order of its own.
 */
export function sortServices(services: readonly VirtualService[]): readonly VirtualService[] {
  return sortBy(services, ({ address }) => serviceKey(address)).map((service) => ({
    ...service,
    servers: sortBy(service.servers, ({ ip, port }: RealServer) => [...addressKey(ip), port]),
  }));
}

type Key = readonly number[];

function serviceKey(address: ServiceAddress): Key {
  if (address.kind === 'mark') return [2, address.family === 'ipv4' ? 0 : 1, address.mark];
  const key = addressKey(address.ip);
  const protocol = { tcp: 0, udp: 1, sctp: 2 }[address.protocol];
  return [key.length === 1 ? 0 : 1, protocol, ...key, address.port];
}

/** One signed word of an IPv4 address, four of an IPv6 one. */
function addressKey(text: string): Key {
  const bits: Bits = parseBits(text, text.includes(':') ? 'ipv6' : 'ipv4') ?? [];
  const words: number[] = [];
  for (let at = 0; at < bits.length; at += 2) words.push(((bits[at] as number) << 16) | (bits[at + 1] as number));
  return words;
}

function sortBy<T>(items: readonly T[], keyOf: (item: T) => Key): readonly T[] {
  if (items.length < 2) return items;
  return items
    .map((item) => ({ item, key: keyOf(item) }))
    .sort((a, b) => compareKeys(a.key, b.key))
    .map(({ item }) => item);
}

function compareKeys(a: Key, b: Key): number {
  for (let at = 0; at < a.length; at += 1) {
    const difference = (a[at] as number) - (b[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
