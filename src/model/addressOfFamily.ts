import type { Family } from '../common/family.ts';
import { familyOf } from '../common/ip.ts';

/** The first address of a family. */
export function addressOfFamily(holder: { readonly ips: readonly string[] }, family: Family): string | undefined {
  return holder.ips.find((ip) => familyOf(ip) === family);
}
