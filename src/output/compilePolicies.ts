import type { Report } from '../diagnostics/diagnostic.ts';
import { type EmitPoliciesOptions, type EmittedPolicies, emitPolicies } from '../emit/policy/emitPolicies.ts';
import type { PolicyRules } from '../emit/policy/iptables/emitPolicyIptables.ts';
import { ipsetText, restoreText } from '../emit/policy/iptables/loadTexts.ts';
import { replaceTable } from '../emit/policy/nftables/emitPolicyNftables.ts';
import type { PolicyModel } from '../model/policyModel.ts';
import { printIpset } from '../netfilter/ipset/printIpset.ts';
import { printRuleset } from '../netfilter/iptables/print.ts';
import type { NftTable } from '../netfilter/nft/ast.ts';
import { writeListing } from '../netfilter/nft/writeListing.ts';
import { writeTransaction } from '../netfilter/nft/writeTransaction.ts';
import { iptablesPolicyScript } from '../script/policyIptablesScript.ts';
import { nftablesPolicyScript } from '../script/policyNftablesScript.ts';

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

/** Compiles NetworkPolicies to the texts and scripts that enforce them on one node. */
export function compilePolicies(model: PolicyModel, options: EmitPoliciesOptions, report: Report): CompiledPolicies {
  const emitted = emitPolicies(model, options, report);
  const nft = emitted.nftables && nftTexts(emitted.nftables);
  const ipt = emitted.iptables && iptablesTexts(emitted, emitted.iptables);
  const rules = (nft?.size.rules ?? 0) + (ipt?.size.rules ?? 0);
  const setElements = (nft?.size.setElements ?? 0) + (ipt?.size.setElements ?? 0);
  return { ...nft, ...ipt, size: { rules, setElements } };
}

function nftTexts(tables: NonNullable<EmittedPolicies['nftables']>): CompiledPolicies {
  const texts = (write: (table: NftTable) => Iterable<string>) =>
    inFamilies(tables, (table) => [...write(table)].join(''));
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

function iptablesTexts(
  { families }: EmittedPolicies,
  compiled: NonNullable<EmittedPolicies['iptables']>,
): CompiledPolicies {
  const texts = (write: (rules: PolicyRules) => string) => inFamilies(compiled, write);
  const all = [...compiled.values()];
  const script = iptablesPolicyScript(families.map((family) => ({ family, rules: compiled.get(family) })));
  return {
    iptables: texts(({ ruleset }) => restoreText(ruleset)),
    iptablesSave: texts(({ ruleset }) => [...printRuleset(ruleset, 'save')].join('')),
    ipset: texts(({ sets }) => ipsetText(sets)),
    ipsetSave: texts(({ sets }) => [...printIpset({ kind: 'ipset', sets })].join('')),
    iptablesScript: [...script].join(''),
    size: {
      rules: all.reduce(
        (sum, { ruleset }) => sum + ruleset.tables.reduce((own, { rules }) => own + rules.length, 0),
        0,
      ),
      setElements: all.reduce((sum, { sets }) => sum + sets.reduce((own, { members }) => own + members.length, 0), 0),
    },
  };
}

function inFamilies<T>(of: ReadonlyMap<'ipv4' | 'ipv6', T>, write: (one: T) => string): Texts {
  const text = (family: 'ipv4' | 'ipv6') => {
    const one = of.get(family);
    return one === undefined ? '' : write(one);
  };
  return { v4: text('ipv4'), v6: text('ipv6') };
}
