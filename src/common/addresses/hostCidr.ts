import { familyOf } from './ip.ts';

/** The network of this one address: `10.0.0.1/32`, `fd00::1/128`. */
export function hostCidr(ip: string): string {
  return `${ip}/${familyOf(ip) === 'ipv6' ? 128 : 32}`;
}
