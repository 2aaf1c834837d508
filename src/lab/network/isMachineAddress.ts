import { isLoopbackIp, parseIp } from '../../common/addresses/ip.ts';

/** Not loopback, link-local IPv6, multicast or nothing at all: no machine of a lab can have those. */
export function isMachineAddress(address: string): boolean {
  const ip = parseIp(address);
  if (ip === undefined || isLoopbackIp(address)) return false;
  if (ip.family === 'ipv6') return ip.value > 1n && ip.value >> 118n !== 0x3fan && ip.value >> 120n !== 0xffn;
  const first = ip.value >>> 24;
  return first > 0 && first < 224;
}
