import { parseIp } from './ip.ts';

/**
 * The prefix length of a netmask (`255.255.254.0` is 23); undefined: not an address, or its ones are not contiguous.
 */
export function maskLength(mask: string): number | undefined {
  const ip = parseIp(mask);
  if (ip?.family !== 'ipv4') return undefined;
  const inverted = 2 ** 32 - 1 - ip.value;
  const length = 32 - Math.log2(inverted + 1);
  return Number.isInteger(length) ? length : undefined;
}
