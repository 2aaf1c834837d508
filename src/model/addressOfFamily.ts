import type { Family } from '../common/addresses/family.ts';
import { familyOf } from '../common/addresses/ip.ts';

/** The first address of a family. */
export function addressOfFamily(holder: { readonly ips: readonly string[] }, family: Family): string | undefined {
  return holder.ips.find((ip) => familyOf(ip) === family);
}
