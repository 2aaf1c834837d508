import { parseCidr } from '../../common/addresses/cidr.ts';
import { formatIp, type Ip, parseIp } from '../../common/addresses/ip.ts';
import { networkText, prefixesOf } from '../../common/ranges/prefixesOf.ts';

/** The networks and addresses that make up `192.0.2.0/24`, `203.0.113.7` or `203.0.113.7-203.0.113.9`. */
export function networksOf(text: string): readonly string[] {
  const dash = text.indexOf('-');
  if (dash === -1) return [text];
  const [first, last] = [parseIp(text.slice(0, dash)), parseIp(text.slice(dash + 1))];
  if (first === undefined || last === undefined || first.family !== last.family) return [];
  const { family } = first;
  const range = { first: first.value, last: last.value };
  return prefixesOf(range, family).map((prefix) => networkText(prefix, family));
}

/** The two halves of a network; a single address stays. */
export function halvesOf(network: string): readonly string[] {
  const cidr = parseCidr(network);
  const bits = cidr?.family === 'ipv4' ? 32 : 128;
  if (cidr === undefined || cidr.length === bits) return [network];
  const first = parseIp(network.slice(0, network.indexOf('/')));
  if (first === undefined) return [network];
  const second = BigInt(first.value) + (1n << BigInt(bits - cidr.length - 1));
  return [first, ipOf(first.family, second)].map((ip) => `${formatIp(ip)}/${cidr.length + 1}`);
}

function ipOf(family: Ip['family'], value: bigint): Ip {
  return family === 'ipv4' ? { family, value: Number(value) } : { family, value };
}
