import { InvalidArgumentError } from 'commander';
import { canonicalIp } from '../../common/addresses/ip.ts';
import { list } from './targetOptions.ts';

/** Reads addresses of DNS servers, in the order in which they are asked. */
export function dnsAddresses(text: string): readonly string[] {
  const addresses = list(text).map((part) => canonicalIp(part));
  const known = addresses.filter((address) => address !== undefined);
  if (known.length === 0 || known.length < addresses.length) {
    throw new InvalidArgumentError('Give IP addresses, separated by commas.');
  }
  return known;
}
