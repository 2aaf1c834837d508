import type { Cidr } from './cidr.ts';
import { formatIp } from './ip.ts';

/** The address at an offset from the first of a range; undefined beyond the last. */
export function addressInCidr(cidr: Cidr, offset: number): string | undefined {
  if (cidr.family === 'ipv4') {
    const value = cidr.first + offset;
    return value > cidr.last ? undefined : formatIp({ family: 'ipv4', value });
  }
  const value = cidr.first + BigInt(offset);
  return value > cidr.last ? undefined : formatIp({ family: 'ipv6', value });
}
