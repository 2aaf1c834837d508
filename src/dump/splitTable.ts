import type { Rule, Table } from '../netfilter/iptables/ast.ts';
import { builtinChains } from '../netfilter/iptables/builtinChains.ts';
import { isPolicyChain } from '../netfilter/policyParts.ts';
import { isKubeName, isServiceChain } from '../netfilter/proxyChains.ts';

/**
 * Rules without their table, as from `iptables-save | grep`, sorted into the tables that kube-proxy writes them to:
 * chain and target show which. Rules of other programs stand with those that a table has beside them, as tables follow
 * each other.
 */
export function splitTable(table: Table): readonly Table[] {
  const isNat = table.name === 'nat' || table.rules.some((rule) => leadsToService(rule));
  if (!isNat) return [{ name: 'filter', chains: table.chains, rules: table.rules }];
  const blocks = blocksOf(table.rules);
  const rules = new Map<string, Rule[]>(['filter', 'nat', 'mangle', 'raw'].map((name) => [name, []]));
  for (const block of blocks) {
    const own = blocks.length === 1 ? undefined : tableOfBlock(block);
    for (const rule of block)
      rules.get(own === undefined || isOfKubernetes(rule) ? tableOfRule(rule) : own)?.push(rule);
  }
  const parts = [...rules].map(([name, own]) => ({ name, chains: name === 'nat' ? table.chains : [], rules: own }));
  return parts.filter(({ rules: own, chains }) => own.length + chains.length > 0);
}

/** Each table begins with rules of its built-in chains, in the order of their hooks. */
function blocksOf(rules: readonly Rule[]): readonly (readonly Rule[])[] {
  const blocks: Rule[][] = [];
  let last: number | undefined;
  for (const rule of rules) {
    const hook = hooks.indexOf(rule.chain);
    const begins = last === undefined || (hook !== -1 && (last === -1 || hook < last));
    if (begins) blocks.push([rule]);
    else blocks.at(-1)?.push(rule);
    last = hook;
  }
  return blocks;
}

/** The table mangle has them all. */
const hooks = builtinChains('mangle');

/** By the rules of Kubernetes in it; without any, by what its rules can only do in one table, or by its hooks. */
function tableOfBlock(block: readonly Rule[]): string {
  const known = block.filter(isOfKubernetes);
  if (known.length > 0) return known.filter(isFilterRule).length * 2 > known.length ? 'filter' : 'nat';
  const kinds = block.map(({ target }) => (target?.kind === 'jump' ? target.chain : target?.kind));
  if (kinds.some((kind) => kind === 'NOTRACK' || kind === 'CT')) return 'raw';
  if (kinds.some((kind) => kind === 'dnat' || kind === 'snat' || kind === 'masquerade')) return 'nat';
  const own = new Set(block.flatMap(({ chain }) => (hooks.includes(chain) ? [chain] : [])));
  if (own.size === 2 && own.has('PREROUTING') && own.has('OUTPUT')) return 'raw';
  return own.has('PREROUTING') || own.has('POSTROUTING') ? 'mangle' : 'filter';
}

function tableOfRule(rule: Rule): string {
  return isFilterRule(rule) ? 'filter' : 'nat';
}

function isOfKubernetes({ chain, target }: Rule): boolean {
  return isKubeName(chain) || (target?.kind === 'jump' && isKubeName(target.chain));
}

function leadsToService({ chain, words, target }: Rule): boolean {
  // IPVS mode asks its sets in KUBE-SERVICES, and has that chain in the table nat alone.
  if (chain === 'KUBE-SERVICES' && words.some(isSet)) return true;
  if (isServiceChain(chain) || /^(?:KUBE-MARK-|KUBE-POSTROUTING|PREROUTING|POSTROUTING)/.test(chain)) return true;
  if (target?.kind !== 'jump') return false;
  return isServiceChain(target.chain) || /^KUBE-(?:MARK-|NODEPORTS$|NODE-PORT$)/.test(target.chain);
}

function isFilterRule({ chain, words, target }: Rule): boolean {
  // The table nat has an INPUT, too, which neither kube-proxy nor kubelet uses.
  if (isFilterChain(chain) || chain === 'FORWARD' || chain === 'INPUT') return true;
  if (target?.kind === 'reject') return true;
  if (target?.kind !== 'jump') return false;
  if (isFilterChain(target.chain)) return true;
  if (chain === 'KUBE-SERVICES' && words.some(isSet)) return false;
  if (/^KUBE-(?:SERVICES|NODEPORTS|NODE-PORT)$/.test(chain)) return /^(?:DROP|ACCEPT)$/.test(target.chain);
  // kube-proxy's jumps in the filter table match new connections.
  return chain === 'OUTPUT' && words.some(({ kind }) => kind === 'conntrack');
}

function isSet({ kind }: Rule['words'][number]): boolean {
  return kind === 'set';
}

function isFilterChain(name: string): boolean {
  return filterChains.has(name) || isPolicyChain(name);
}

/** Of kube-proxy in any mode, and of kubelet. */
const filterChains: ReadonlySet<string> = new Set([
  'KUBE-FORWARD',
  'KUBE-EXTERNAL-SERVICES',
  'KUBE-PROXY-FIREWALL',
  'KUBE-FIREWALL',
  'KUBE-IPVS-FILTER',
  'KUBE-IPVS-OUT-FILTER',
  'KUBE-SOURCE-RANGES-FIREWALL',
]);
