import { canonicalIp } from '../../common/addresses/ip.ts';
import { maskLength } from '../../common/addresses/maskLength.ts';

/** As `ip -br addr`, `ip -4 route` and `ip -6 route show table all` print them. */
export interface ProcNetTexts {
  readonly addresses: string;
  readonly routes4: string;
  readonly routes6: string;
}

/**
 * Finds addresses and routes in /proc/net/route, ipv6_route, if_inet6 and fib_trie, in this order: the kernel's own
 * tables if `ip` is not installed. For IPv4 they show the main table and the node's own addresses, and of several next
 * hops the first. They show no device with an address: it is the one whose network contains it.
 */
export function procNetTexts(text: string): ProcNetTexts {
  const routes4: string[] = [];
  const routes6: string[] = [];
  const links: Link[] = [];
  const addresses = new Map<string, string[]>();
  const own = new Set<string>();
  let leaf = '';
  for (const line of text.split('\n')) {
    const words = line.trim().split(/\s+/);
    if (words[0] === '|--') leaf = words[1] ?? '';
    else if (words.join(' ') === '/32 host LOCAL') own.add(leaf);
    else if (words.length === 11 && hexIpv4.test(words[1] ?? '')) {
      const { route, link } = ipv4Route(words);
      if (route !== undefined) routes4.push(route);
      if (link !== undefined) links.push(link);
    } else if (hexIpv6.test(words[0] ?? '')) {
      if (words.length === 10) routes6.push(...ipv6Route(words));
      else if (words.length === 6) addAddress(addresses, words[5] ?? '', ipv6Address(words));
    }
  }
  for (const ip of own) {
    const link = linkOf(ip, links);
    if (link !== undefined) addAddress(addresses, link.device, `${ip}/${link.length}`);
    routes4.push(`local ${ip}${link === undefined ? '' : ` dev ${link.device}`} table local scope host`);
  }
  const rows = [...addresses].map(([device, list]) => `${device} UNKNOWN ${list.join(' ')}`);
  return { addresses: joined(rows), routes4: joined(routes4), routes6: joined(routes6) };
}

function joined(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

function addAddress(addresses: Map<string, string[]>, device: string, cidr: string): void {
  const list = addresses.get(device) ?? [];
  addresses.set(device, [...list, cidr]);
}

const hexIpv4 = /^[\dA-F]{8}$/;
const hexIpv6 = /^[\da-f]{32}$/;

/** Bits of the flags of a route. */
const hasGateway = 0x2;
const isRejected = 0x200;
const isAnycast = 0x100000;
const isLocal = 0x80000000;

/** A network that a device is connected to. */
interface Link {
  readonly device: string;
  readonly network: string;
  readonly length: number;
}

/** `cni0 0001F40A 00000000 0001 0 0 0 00FFFFFF 0 0 0`: bytes are in the processor's order, last first. */
function ipv4Route(words: readonly string[]): { readonly route?: string; readonly link?: Link } {
  const [device = '', to = '', hop = '', bits = '', , , metric = '', mask = ''] = words;
  // On a processor with the other order the mask would be invalid.
  const length = maskLength(ipv4Of(mask));
  const flags = Number.parseInt(bits, 16);
  if (length === undefined || Number.isNaN(flags)) return {};
  const network = ipv4Of(to);
  const destination = length === 0 ? 'default' : `${network}/${length}`;
  const rest = metric === '0' ? '' : ` metric ${metric}`;
  if ((flags & isRejected) !== 0) return { route: `unreachable ${destination}${rest}` };
  if (device === '*') return { route: `blackhole ${destination}${rest}` };
  if ((flags & hasGateway) !== 0) return { route: `${destination} via ${ipv4Of(hop)} dev ${device}${rest}` };
  return { route: `${destination} dev ${device} scope link${rest}`, link: { device, network, length } };
}

function ipv4Of(hex: string): string {
  const bytes = hex.match(/../g)?.map((byte) => Number.parseInt(byte, 16)) ?? [];
  return bytes.reverse().join('.');
}

/** Destination, its length, source, its length, next hop, metric, references, uses, flags, device. */
function ipv6Route(words: readonly string[]): readonly string[] {
  const [to = '', length = '', , , hop = '', metricBits = '', , , bits = '', device = ''] = words;
  const flags = Number.parseInt(bits, 16);
  const metric = Number.parseInt(metricBits, 16);
  // Every kernel has one that refuses what no other route takes.
  if (Number.isNaN(flags) || metric === 0xffffffff) return [];
  const bitsOfNetwork = Number.parseInt(length, 16);
  const destination = bitsOfNetwork === 0 ? 'default' : `${ipv6Of(to)}/${bitsOfNetwork}`;
  if ((flags & isRejected) !== 0) return [`unreachable ${destination} metric ${metric}`];
  const type = typeOf(flags, destination);
  const via = (flags & hasGateway) === 0 ? '' : ` via ${ipv6Of(hop)}`;
  return [`${type}${destination}${via} dev ${device}${type === '' ? '' : ' table local'} metric ${metric}`];
}

function typeOf(flags: number, destination: string): string {
  if ((flags & isAnycast) !== 0) return 'anycast ';
  if ((flags & isLocal) !== 0) return 'local ';
  return destination === 'ff00::/8' ? 'multicast ' : '';
}

/** Address, number of the device, length, scope, flags, device. */
function ipv6Address([address = '', , length = '']: readonly string[]): string {
  return `${ipv6Of(address)}/${Number.parseInt(length, 16)}`;
}

function ipv6Of(hex: string): string {
  const text = hex.match(/.{4}/g)?.join(':') ?? hex;
  return canonicalIp(text) ?? text;
}

/** The smallest network that an address is in. */
function linkOf(ip: string, links: readonly Link[]): Pick<Link, 'device' | 'length'> | undefined {
  if (ip.startsWith('127.')) return { device: 'lo', length: 8 };
  const isIn = ({ network, length }: Link) =>
    length > 0 && numberOf(ip) >>> (32 - length) === numberOf(network) >>> (32 - length);
  return links.filter(isIn).sort((a, b) => b.length - a.length)[0];
}

function numberOf(ip: string): number {
  return ip.split('.').reduce((number, part) => number * 256 + Number(part), 0);
}
