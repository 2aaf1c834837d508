import type { Family } from '../../common/family.ts';
import type { Report } from '../../diagnostics/diagnostic.ts';
import type { PolicyModel } from '../../model/policyModel.ts';
import { printIpset } from '../../netfilter/ipset/printIpset.ts';
import { printRuleset } from '../../netfilter/iptables/print.ts';
import type { NftTable } from '../../netfilter/nft/ast.ts';
import { writeListing } from '../../netfilter/nft/writeListing.ts';
import { writeTransaction } from '../../netfilter/nft/writeTransaction.ts';
import { type NodePolicies, nodePolicies } from '../../policy/nodePolicies.ts';
import { iptablesPolicyScript } from '../../script/policyIptablesScript.ts';
import { nftablesPolicyScript } from '../../script/policyNftablesScript.ts';
import { emitIptables, type PolicyRules, speaksFamily } from './iptables/emitIptables.ts';
import { ipsetText, restoreText } from './iptables/loadTexts.ts';
import { emitNftables, replaceTable } from './nftables/emitNftables.ts';
import type { PolicyOptions } from './policyOptions.ts';

/** The rules of one node as texts. */
export interface CompiledPolicies {
  /** Fed to `nft -f`: each replaces our table of its family, all at once, and may be loaded again and again. */
  readonly nftables?: Texts;
  /** What `nft list table` then shows. */
  readonly nftablesSave?: Texts;
  /** Fed to `iptables-restore --noflush` and `ip6tables-restore --noflush`; empty: the node lacks that family. */
  readonly iptables?: Texts;
  /** The filter table as `iptables-save` then shows it, with the jumps from the built-in chains. */
  readonly iptablesSave?: Texts;
  /** Fed to `ipset restore` before the rules, again and again. */
  readonly ipset?: Texts;
  /** As `ipset save` shows them, but for what the kernel makes up. */
  readonly ipsetSave?: Texts;
  /** Shell scripts that load all of it, of both families. */
  readonly nftablesScript?: string;
  readonly iptablesScript?: string;
  readonly size: PolicySize;
}

export interface Texts {
  readonly v4: string;
  readonly v6: string;
}

/** What the kernel will hold. */
export interface PolicySize {
  readonly rules: number;
  readonly setElements: number;
}

export interface CompilePoliciesOptions extends PolicyOptions {
  readonly backends: readonly ('nftables' | 'iptables')[];
  /** Default: both. The texts of others are empty, and scripts leave their rules alone. */
  readonly families?: readonly Family[];
}

/** Compiles NetworkPolicies to the rules of one node. For all nodes, call it once a node. */
export function compilePolicies(model: PolicyModel, options: CompilePoliciesOptions, report: Report): CompiledPolicies {
  const node = nodePolicies(model, options.node);
  const none: CompiledPolicies = { size: { rules: 0, setElements: 0 } };
  const nft = options.backends.includes('nftables') ? nftables(node, options, report) : none;
  const ipt = options.backends.includes('iptables') ? iptables(node, options) : none;
  return {
    ...nft,
    ...ipt,
    size: { rules: nft.size.rules + ipt.size.rules, setElements: nft.size.setElements + ipt.size.setElements },
  };
}

const bothFamilies = ['ipv4', 'ipv6'] as const;

function nftables(node: NodePolicies, options: CompilePoliciesOptions, report: Report): CompiledPolicies {
  if (options.deny === 'reject' && options.hook === 'postrouting') {
    report({
      code: 'policy-cannot-reject',
      severity: 'warning',
      message: 'the postrouting hook cannot reject: denied traffic is dropped',
      at: [],
    });
  }
  const tables = new Map((options.families ?? bothFamilies).map((family) => [family, emitted(family)] as const));
  function emitted(family: Family): NftTable {
    return emitNftables(node, family, options, report);
  }
  const texts = (write: (table: NftTable) => Iterable<string>): Texts => {
    const text = (table: NftTable | undefined) => (table === undefined ? '' : [...write(table)].join(''));
    return { v4: text(tables.get('ipv4')), v6: text(tables.get('ipv6')) };
  };
  const transactions = texts((table) => writeTransaction(replaceTable(table)));
  const all = [...tables.values()];
  return {
    nftables: transactions,
    nftablesSave: texts((table) => writeListing({ kind: 'nftables', tables: [table] })),
    nftablesScript: nftablesPolicyScript(transactions.v4 + transactions.v6),
    size: {
      rules: all.reduce((sum, { chains }) => sum + chains.reduce((own, { rules }) => own + rules.length, 0), 0),
      setElements: all.reduce((sum, { sets }) => sum + sets.reduce((own, set) => own + set.elements.length, 0), 0),
    },
  };
}

function iptables(node: NodePolicies, options: CompilePoliciesOptions): CompiledPolicies {
  const families = options.families ?? bothFamilies;
  const compiled = new Map<Family, PolicyRules>();
  for (const family of families) {
    if (speaksFamily(node, family, options.node)) compiled.set(family, emitIptables(node, family, options));
  }
  const texts = (write: (rules: PolicyRules) => string): Texts => {
    const text = (rules: PolicyRules | undefined) => (rules === undefined ? '' : write(rules));
    return { v4: text(compiled.get('ipv4')), v6: text(compiled.get('ipv6')) };
  };
  const all = [...compiled.values()];
  return {
    iptables: texts(({ ruleset }) => restoreText(ruleset)),
    iptablesSave: texts(({ ruleset }) => [...printRuleset(ruleset, 'save')].join('')),
    ipset: texts(({ sets }) => ipsetText(sets)),
    ipsetSave: texts(({ sets }) => [...printIpset({ kind: 'ipset', sets })].join('')),
    iptablesScript: [...iptablesPolicyScript(families.map((family) => ({ family, rules: compiled.get(family) })))].join(
      '',
    ),
    size: {
      rules: all.reduce(
        (sum, { ruleset }) => sum + ruleset.tables.reduce((own, { rules }) => own + rules.length, 0),
        0,
      ),
      setElements: all.reduce((sum, { sets }) => sum + sets.reduce((own, { members }) => own + members.length, 0), 0),
    },
  };
}
