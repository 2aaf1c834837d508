import type { Family } from '../common/addresses/family.ts';
import { policyTable } from '../netfilter/policyParts.ts';

/** A transaction of nft that leaves no table of ours: one that is not there cannot be deleted, so it is added first. */
export function noTable(family: Family): string {
  const table = policyTable(family);
  return `add table ${table}\ndelete table ${table}\n`;
}
