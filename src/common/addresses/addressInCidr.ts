import { formatIp } from './ip.ts';

/** Numbers of the first and the last address: those of a network, or of any other range. */
export type AddressRange =
  | { readonly family: 'ipv4'; readonly first: number; readonly last: number }
  | { readonly family: 'ipv6'; readonly first: bigint; readonly last: bigint };

/** The address at an offset from the first of a range; undefined beyond the last. */
export function addressInCidr(cidr: AddressRange, offset: number): string | undefined {
  if (cidr.family === 'ipv4') {
    const value = cidr.first + offset;
    return value > cidr.last ? undefined : formatIp({ family: 'ipv4', value });
  }
  const value = cidr.first + BigInt(offset);
  return value > cidr.last ? undefined : formatIp({ family: 'ipv6', value });
}
