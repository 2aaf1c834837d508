import { formatIp } from '../../common/addresses/ip.ts';
import type { Value } from '../../common/ranges/valueRange.ts';
import type { ValueSet } from '../../common/ranges/valueSet.ts';

/** An address in its usual spelling. */
export function addressText(address: Value): string {
  return formatIp(
    typeof address === 'bigint' ? { family: 'ipv6', value: address } : { family: 'ipv4', value: address },
  );
}

/** `10.0.0.1:80`, `[fd00::1]:80`; without a port only the address, `*` if the port is not a single one. */
export function endText(address: Value | undefined, port: Value | null | undefined): string {
  const text = address === undefined ? '*' : addressText(address);
  if (port === undefined) return text;
  return `${text.includes(':') ? `[${text}]` : text}:${port === null ? '*' : port}`;
}

/** Two sets of values that are the same have the same text. */
export function valuesText(values: ValueSet | undefined): string {
  return (values ?? []).map(({ first, last }) => `${first}-${last}`).join(',');
}
