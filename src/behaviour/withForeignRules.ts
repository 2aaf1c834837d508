import { cidrContains } from '../common/addresses/cidr.ts';
import { proxySetKind } from '../netfilter/ipset/proxySets.ts';
import { builtinChains } from '../netfilter/iptables/builtinChains.ts';
import { isProxyService } from '../netfilter/ipvs/isProxyService.ts';
import { isProxyChain, isProxyTable } from '../netfilter/proxyChains.ts';
import type { TableChains } from '../node/chains/byteChains.ts';
import { eachChain, sharedChains } from '../node/chains/eachChain.ts';
import { overlaidChains } from '../node/chains/overlaidChains.ts';
import { heaviestRules } from '../node/heaviestRules.ts';
import { linesOf, placeOf } from '../node/lines/chainLines.ts';
import type { NodeRules, RuleTable, ToolRules } from '../node/nodeRules.ts';
import type { RuleChain } from '../node/ruleChain.ts';
import { targetName } from '../node/rulesOf.ts';
import { proxySeen } from '../seen/proxySeen.ts';

/**
 * Rules as they would be on the node of a dump, together with those of other programs, which a change of kube-proxy's
 * mode or of its Services does not touch. Their jumps to chains that kube-proxy no longer has are removed. `leftAlone`:
 * networks whose virtual servers are not kube-proxy's (ipvs.excludeCIDRs).
 */
export function withForeignRules(rules: NodeRules, dump: NodeRules, leftAlone: readonly string[] = []): NodeRules {
  const main = heaviestRules(dump.iptables);
  const own = rules.iptables.map((one) => {
    const same = main.find(({ family }) => family === one.family);
    return same === undefined ? one : mergedTool(one, same);
  });
  const beside = dump.iptables.filter((one) => !main.includes(one) || !own.some(({ family }) => family === one.family));
  return {
    ...rules,
    iptables: [...own, ...beside.map((one) => mergedTool({ ...one, tables: new Map() }, one))],
    nft: mergedByFamily(rules.nft, dump.nft, ({ name }) => !isProxyTable(name)),
    ipsets: mergedLists('ipset', rules.ipsets, dump.ipsets, ({ name }) => proxySetKind(name) === undefined),
    ipvs: mergedLists('ipvs', rules.ipvs, dump.ipvs, foreignServers(dump, leftAlone)),
  };
}

/** Virtual servers of other programs: all, where kube-proxy does not run in IPVS mode. */
function foreignServers(dump: NodeRules, leftAlone: readonly string[]): (server: RuleChain) => boolean {
  const isOfProxy = proxySeen(dump).modes.includes('ipvs');
  return ({ content }) => {
    if (content?.kind !== 'virtualServer') return false;
    const { service } = content;
    if (!isOfProxy || !isProxyService(service) || service.address.kind !== 'address') return true;
    const { ip } = service.address;
    return leftAlone.some((network) => cidrContains(network, ip));
  };
}

function mergedTool(own: ToolRules, dump: ToolRules): ToolRules {
  const tables = new Map(own.tables);
  for (const table of dump.tables.values()) tables.set(table.name, mergedTable(tables.get(table.name), table));
  return { ...own, tables, files: dump.files, ...(dump.backend && { backend: dump.backend }) };
}

function mergedTable(own: RuleTable | undefined, dump: RuleTable): RuleTable {
  const chains: TableChains = own?.chains ?? new Map();
  const builtin = new Set<string>(builtinChains(dump.name));
  const isGone = (name: string) => isProxyOf(dump.name, name) && !chains.has(name);
  const beside = new Map<string, RuleChain>();
  for (const chain of eachChain(dump, sharedChains)) {
    if (isProxyOf(dump.name, chain.name)) continue;
    const isBuiltin = builtin.has(chain.name);
    beside.set(
      chain.name,
      isBuiltin ? mergedBuiltin(chains.get(chain.name), chain, dump.name) : withoutJumps(chain, isGone),
    );
  }
  // What kube-proxy writes is known to the end, even where the dump is cut.
  return { ...(own ?? dump), chains: overlaidChains(chains, beside) };
}

function isProxyOf(table: string, chain: string): boolean {
  return isProxyChain(chain) || (table === 'nat' && chain === 'KUBE-FIREWALL');
}

/**
 * kube-proxy's lines stay where they are, as it leaves them there. Those that are missing come where its first line is, or
 * first, where it inserts them.
 */
function mergedBuiltin(own: RuleChain | undefined, dump: RuleChain, table: string): RuleChain {
  const lines = linesOf(dump);
  const isOwn = (line: string) => isProxyOf(table, targetName(line)) || isOldMasquerade(line);
  const wanted = new Set(linesOf(own));
  const missing = new Set(wanted);
  const merged: PlacedLine[] = [];
  const first = Math.max(0, lines.findIndex(isOwn));
  let start = 0;
  for (const [at, text] of lines.entries()) {
    if (at === first) start = merged.length;
    const isKept = wanted.has(text) ? missing.delete(text) : !isOwn(text);
    if (isKept) merged.push({ text, ...placeOf(dump, at) });
  }
  const added = [...missing].map((text) => ({ text, file: '', line: 0 }));
  return chainWith(dump, [...merged.slice(0, start), ...added, ...merged.slice(start)]);
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

/** Sets and virtual servers, a chain each: kube-proxy's own, and those of other programs. */
function mergedLists(
  table: 'ipset' | 'ipvs',
  own: readonly ToolRules[],
  dumped: readonly ToolRules[],
  isForeign: (chain: RuleChain) => boolean,
): readonly ToolRules[] {
  const families = new Set([...own, ...dumped].map(({ family }) => family));
  return [...families].flatMap((family) => {
    const [mine, theirs] = [own, dumped].map((all) => all.find((rules) => rules.family === family)?.tables.get(table));
    const foreign = [...(theirs?.chains.values() ?? [])].filter(isForeign);
    const base = [...own, ...dumped].find((rules) => rules.family === family);
    const shown = mine ?? theirs;
    if (base === undefined || shown === undefined || (mine === undefined && foreign.length === 0)) return [];
    const chains = new Map([...foreign.map((chain) => [chain.name, chain] as const), ...(mine?.chains ?? [])]);
    return [{ ...base, tables: new Map([...base.tables, [table, { ...shown, chains }]]) }];
  });
}
