import { addTo } from '../../../common/addTo.ts';
import type { Rule, Ruleset } from '../../../netfilter/iptables/ast.ts';
import { builtinChains } from '../../../netfilter/iptables/builtinChains.ts';

/** What fingerprints look at: kube-proxy's rules of a dump, by chain. */
export interface DumpedChains {
  /** `nat KUBE-SERVICES` to its rules, in order. */
  readonly rules: ReadonlyMap<string, readonly Rule[]>;
  /** `nat KUBE-SERVICES` of every chain that is declared. */
  readonly chains: ReadonlySet<string>;
  /** Tables that were dumped whole: with built-in chains and kube-proxy's own. */
  readonly wholeTables: ReadonlySet<string>;
  /** These, and those of texts for iptables-restore, which declare kube-proxy's chains and touch no built-in one. */
  readonly ownTables: ReadonlySet<string>;
  /** Rules in chains whose name begins so (`KUBE-SVC-`), with the table. */
  readonly inChains: (table: string, prefix: string) => readonly Rule[];
  /** kubelet's chains are in the dump, so some chains may be its work. */
  readonly hasKubelet: boolean;
}

export function dumpedChains(dumps: readonly Ruleset[]): DumpedChains {
  const rules = new Map<string, Rule[]>();
  const chains = new Set<string>();
  const wholeTables = new Set<string>();
  const ownTables = new Set<string>();
  for (const dump of dumps) {
    for (const table of dump.tables) {
      const declared = new Set(table.chains.map((chain) => chain.name));
      for (const name of declared) chains.add(`${table.name} ${name}`);
      const hasBuiltin = table.chains.some((chain) => chain.policy !== undefined);
      if (hasBuiltin && declared.has('KUBE-SERVICES')) wholeTables.add(table.name);
      const touchesBuiltin = [...builtinChains(table.name)].some(
        (chain) => declared.has(chain) || table.rules.some((rule) => rule.chain === chain),
      );
      if (declared.has('KUBE-SERVICES') && (hasBuiltin || !touchesBuiltin)) ownTables.add(table.name);
      for (const rule of table.rules) {
        const key = `${table.name} ${rule.chain}`;
        addTo(rules, key, rule);
      }
    }
  }
  const prefixes = new Map<string, readonly Rule[]>();
  return {
    rules,
    chains,
    wholeTables,
    ownTables,
    inChains: (table, prefix) => {
      const key = `${table} ${prefix}`;
      let found = prefixes.get(key);
      if (found === undefined) {
        found = [...rules].filter(([chain]) => chain.startsWith(key)).flatMap(([, own]) => own);
        prefixes.set(key, found);
      }
      return found;
    },
    hasKubelet: [...chains].some((chain) => /KUBE-(KUBELET-CANARY|IPTABLES-HINT)$/.test(chain)),
  };
}
