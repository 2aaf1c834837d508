import { proxySetKind } from '../../netfilter/ipset/proxySets.ts';
import { builtinChains } from '../../netfilter/iptables/builtinChains.ts';
import { isProxyChain, isProxyTable } from '../../netfilter/proxyChains.ts';
import { linesOf, placeOf } from '../../node/lines/chainLines.ts';
import type { NodeRules, RuleTable, ToolRules } from '../../node/nodeRules.ts';
import type { RuleChain } from '../../node/ruleChain.ts';
import { targetName } from '../../node/rulesOf.ts';

/**
 * Rules as they would be on the node of a dump, together with those of other programs, which a change of kube-proxy's
 * mode does not touch. Their jumps to chains that kube-proxy no longer has are removed.
 */
export function withForeignRules(rules: NodeRules, dump: NodeRules): NodeRules {
  const beside = dump.iptables.filter(({ family }) => !rules.iptables.some((own) => own.family === family));
  return {
    ...rules,
    iptables: [
      ...rules.iptables.map((own) => {
        const all = dump.iptables.filter(({ family }) => family === own.family);
        return all.reduce((sum, one) => mergedTool(sum, one), own);
      }),
      ...beside.map((one) => mergedTool({ ...one, tables: new Map() }, one)),
    ],
    nft: mergedByFamily(rules.nft, dump.nft, ({ name }) => !isProxyTable(name)),
    ipsets: mergedSets(rules.ipsets, dump.ipsets),
  };
}

function mergedTool(own: ToolRules, dump: ToolRules): ToolRules {
  const tables = new Map(own.tables);
  for (const table of dump.tables.values()) tables.set(table.name, mergedTable(tables.get(table.name), table));
  return { ...own, tables, files: dump.files, ...(dump.backend && { backend: dump.backend }) };
}

function mergedTable(own: RuleTable | undefined, dump: RuleTable): RuleTable {
  const chains = new Map(own?.chains);
  const builtin = new Set<string>(builtinChains(dump.name));
  const isGone = (name: string) => isProxyOf(dump.name, name) && !chains.has(name);
  for (const chain of dump.chains.values()) {
    if (isProxyOf(dump.name, chain.name)) continue;
    const before = chains.get(chain.name);
    chains.set(
      chain.name,
      builtin.has(chain.name) ? mergedBuiltin(before, chain, dump.name) : withoutJumps(chain, isGone),
    );
  }
  return { ...dump, chains };
}

function isProxyOf(table: string, chain: string): boolean {
  return isProxyChain(chain) || (table === 'nat' && chain === 'KUBE-FIREWALL');
}

/** kube-proxy's lines come where its lines were, or first, where it inserts them. */
function mergedBuiltin(own: RuleChain | undefined, dump: RuleChain, table: string): RuleChain {
  const lines = linesOf(dump);
  const isOwn = (line: string) => isProxyOf(table, targetName(line)) || isOldMasquerade(line);
  const ownLines = linesOf(own).map((text) => ({ text, file: '', line: 0 }));
  const first = Math.max(0, lines.findIndex(isOwn));
  const foreign = (from: number, to: number) =>
    lines
      .slice(from, to)
      .flatMap((text, at) => (isOwn(text) || isKnown(text) ? [] : [{ text, ...placeOf(dump, from + at) }]));
  const isKnown = (line: string) => ownLines.some(({ text }) => text === line);
  return chainWith(dump, [...foreign(0, first), ...ownLines, ...foreign(first, lines.length)]);
}

/** kube-proxy 1.1 masquerades in POSTROUTING itself. */
function isOldMasquerade(line: string): boolean {
  return targetName(line) === 'MASQUERADE' && line.includes('kubernetes service traffic requiring SNAT');
}

function withoutJumps(chain: RuleChain, isGone: (name: string) => boolean): RuleChain {
  const lines = linesOf(chain);
  if (!lines.some((line) => isGone(targetName(line)))) return chain;
  return chainWith(
    chain,
    lines.flatMap((text, at) => (isGone(targetName(text)) ? [] : [{ text, ...placeOf(chain, at) }])),
  );
}

interface PlacedLine {
  readonly text: string;
  readonly file: string;
  readonly line: number;
}

function chainWith({ name, policy, isDeclared, file, declaredAt }: RuleChain, lines: readonly PlacedLine[]): RuleChain {
  return {
    name,
    ...(policy !== undefined && { policy }),
    isDeclared,
    text: lines.map(({ text }) => text).join('\n'),
    firstLine: 0,
    lineNumbers: lines.map(({ line }) => line),
    file,
    files: lines.map((one) => one.file),
    declaredAt,
  };
}

function mergedByFamily(
  own: readonly ToolRules[],
  dumped: readonly ToolRules[],
  isKept: (table: RuleTable) => boolean,
): readonly ToolRules[] {
  const kept = dumped.map((rules) => ({
    ...rules,
    tables: new Map([...rules.tables].filter(([, table]) => isKept(table))),
  }));
  const families = new Set([...own, ...kept].map(({ family }) => family));
  return [...families].flatMap((family) => {
    const all = [...own, ...kept].filter((rules) => rules.family === family);
    const [first] = all;
    const tables = new Map(all.flatMap((rules) => [...rules.tables]));
    return first === undefined || tables.size === 0 ? [] : [{ ...first, tables }];
  });
}

/** Sets that other programs match; those of IPVS mode are kube-proxy's. */
function mergedSets(own: readonly ToolRules[], dumped: readonly ToolRules[]): readonly ToolRules[] {
  const families = new Set([...own, ...dumped].map(({ family }) => family));
  return [...families].flatMap((family) => {
    const [mine, theirs] = [own, dumped].map((all) => all.find((rules) => rules.family === family));
    const base = mine ?? theirs;
    const table = base?.tables.get('ipset');
    if (base === undefined || table === undefined) return [];
    const foreign = [...(theirs?.tables.get('ipset')?.chains ?? [])].filter(
      ([name]) => proxySetKind(name) === undefined,
    );
    const chains = new Map([...foreign, ...(mine?.tables.get('ipset')?.chains ?? [])]);
    return [{ ...base, tables: new Map([...base.tables, ['ipset', { ...table, chains }]]) }];
  });
}
