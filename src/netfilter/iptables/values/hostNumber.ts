import { plainIpv4Number } from '../../../common/addresses/ip.ts';

/** The number of one IPv4 address as iptables-save writes it: `10.96.0.10/32`; -1: another spelling, or several addresses. */
export function hostNumber(network: string): number {
  return network.endsWith('/32') ? plainIpv4Number(network.slice(0, -3)) : -1;
}
