import type { Family } from '../common/addresses/family.ts';
import type { ToolRules } from '../node/nodeRules.ts';
import type { DumpFile } from './dumpFile.ts';

/**
 * In the layout of `collect`, dumps/nft.txt is the output of `nft list ruleset`: a family without a table in it has
 * none. Any other listing may be of one table.
 */
export function wholeRuleset({ name }: DumpFile): readonly ToolRules[] {
  if (!/(?:^|[\\/:])dumps[\\/]nft\.txt$/.test(name)) return [];
  return families.map((family): ToolRules => ({ kind: 'nftables', family, tables: new Map(), files: [name] }));
}

const families: readonly Family[] = ['ipv4', 'ipv6'];
