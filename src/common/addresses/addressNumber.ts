import type { Family } from './family.ts';
import { formatIp, parseIp } from './ip.ts';

export function formatAddressNumber(value: number | bigint, family: Family): string {
  return formatIp(family === 'ipv4' ? { family, value: Number(value) } : { family, value: BigInt(value) });
}

/** Undefined: not an address of that family. */
export function addressNumber(ip: string, family: Family): bigint | undefined {
  const parsed = parseIp(ip);
  return parsed?.family === family ? BigInt(parsed.value) : undefined;
}
