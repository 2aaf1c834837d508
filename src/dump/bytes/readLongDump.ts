import type { Family } from '../../common/addresses/family.ts';
import { firstNamed } from '../../node/chains/chainsInOrder.ts';
import { numberAt } from '../../node/lines/chainLines.ts';
import type { NodeRules, RuleTable, ToolRules } from '../../node/nodeRules.ts';
import { withTables } from '../../node/withTables.ts';
import { byteChains } from './chains/byteChains.ts';
import { chainsOnDemand } from './chains/chainsOnDemand.ts';
import { type DumpName, readExcerpt } from './excerpt/readExcerpt.ts';
import type { LongDumpIndex } from './indexLongDump.ts';

/**
 * A long iptables-save dump whose chains of Services stay bytes until somebody asks for one. Undefined: it must be read
 * in the usual way, since its text may not be what it seems.
 */
export function readLongDump(dump: DumpName, index: LongDumpIndex, family: Family | undefined): NodeRules | undefined {
  const read = readExcerpt(dump, index.excerpt, family);
  if (read?.iptables.some(({ tables }) => !isInOrder(tables.get('nat'))) !== false) return undefined;
  return { ...read, iptables: read.iptables.map((rules) => withChains(rules, dump.name, index)) };
}

/** The lines that declare chains show their order: none is declared after its rules. */
function isInOrder(nat: RuleTable | undefined): boolean {
  let before = 0;
  for (const chain of nat?.chains.values() ?? []) {
    const named = firstNamed(chain);
    const first = numberAt(chain, 0);
    if (named < before || (first > 0 && first < named)) return false;
    before = named;
  }
  return true;
}

/** The text has the nat table once. */
function withChains(rules: ToolRules, file: string, index: LongDumpIndex): ToolRules {
  const nat = rules.tables.get('nat');
  if (nat === undefined) return rules;
  const whole = { ...nat, chains: chainsOnDemand(byteChains(index, file, nat.chains)) };
  return withTables(rules, (table) => (table === nat ? whole : table));
}
