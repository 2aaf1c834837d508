import type { Family } from '../../common/addresses/family.ts';
import { onDemand } from '../../common/onDemand.ts';
import type { Report } from '../../diagnostics/diagnostic.ts';
import { type EmitPoliciesOptions, type EmittedPolicies, emitPolicies } from '../../emit/policy/emitPolicies.ts';
import type { PolicyRules } from '../../emit/policy/iptables/emitPolicyIptables.ts';
import { ipsetText, policyRestoreText } from '../../emit/policy/iptables/loadTexts.ts';
import type { PolicyLayout } from '../../emit/policy/iptables/netpolNames.ts';
import { replaceTable } from '../../emit/policy/nftables/replaceTable.ts';
import type { PolicyModel } from '../../model/policyModel.ts';
import { printIpset } from '../../netfilter/ipset/printIpset.ts';
import { printRuleset } from '../../netfilter/iptables/print/print.ts';
import type { NftTable } from '../../netfilter/nft/ast.ts';
import { writeListing } from '../../netfilter/nft/write/writeListing.ts';
import { writeTransaction } from '../../netfilter/nft/write/writeTransaction.ts';
import { iptablesPolicyScript } from '../../script/policy/policyIptablesScript.ts';
import { nftablesPolicyScript } from '../../script/policy/policyNftablesScript.ts';

/** The rules of one node as texts; each is made when it is asked for. */
export interface CompiledPolicies {
  /** Fed to `nft -f`: each replaces our table of its family, all at once, and may be loaded again and again. */
  readonly nftables?: Texts;
  /** What `nft list table` then shows. */
  readonly nftablesSave?: Texts;
  /** Fed to `iptables-restore --noflush` and `ip6tables-restore --noflush`; empty: the node lacks that family. */
  readonly iptables?: Texts;
  /**
   * The filter table as `iptables-save` then shows it, with the jumps from the built-in chains; of kube-router's layout as
   * kube-router leaves it, also if what is loaded is hardened.
   */
  readonly iptablesSave?: Texts;
  /** Fed to `ipset restore` before the rules, again and again. */
  readonly ipset?: Texts;
  /** As `ipset save` shows them, but for what the kernel makes up. */
  readonly ipsetSave?: Texts;
  /** Shell scripts that load all of it, of both families. */
  readonly nftablesScript?: string;
  readonly iptablesScript?: string;
  readonly size: PolicySize;
  /** The families that the node has rules of. */
  readonly families: readonly Family[];
  /** Those that have sets besides. */
  readonly familiesWithSets: readonly Family[];
}

export interface Texts {
  readonly v4: string;
  readonly v6: string;
  /** The same text, made again each time and never as a whole. */
  readonly pieces: (family: Family) => Iterable<string>;
}

/** What the kernel will hold. */
export interface PolicySize {
  readonly rules: number;
  readonly setElements: number;
}

/** Compiles NetworkPolicies to the texts and scripts that enforce them on one node. */
export function compilePolicies(model: PolicyModel, options: EmitPoliciesOptions, report: Report): CompiledPolicies {
  const emitted = emitPolicies(model, { ...options, isForPrinting: true }, report);
  const { nftables, iptables } = emitted;
  const tables = nftables ?? new Map<Family, NftTable>();
  const rules = iptables ?? new Map<Family, PolicyRules>();
  // Dumps of kube-router's nodes are compared with what is saved: its layout as it is.
  const savedRules = () =>
    options.isHardened === true && iptables !== undefined
      ? (emitPolicies(model, { ...options, backends: ['iptables'], isHardened: false, isForPrinting: true }, () => {})
          .iptables ?? iptables)
      : (iptables ?? rules);
  const texts = {
    ...(nftables && nftTexts(nftables)),
    ...(iptables && iptablesTexts(emitted, iptables, savedRules, options.layout ?? 'strict')),
    size: () => sizeOf([...tables.values()], [...rules.values()]),
    families: () => [...new Set([...tables.keys(), ...rules.keys()])],
    familiesWithSets: () => [...rules].filter(([, { sets }]) => sets.length > 0).map(([family]) => family),
  };
  return onDemand<CompiledPolicies>(texts as { readonly [K in keyof CompiledPolicies]: () => CompiledPolicies[K] });
}

function nftTexts(tables: NonNullable<EmittedPolicies['nftables']>) {
  const transactions = () => inFamilies(tables, (table) => writeTransaction(replaceTable(table)));
  return {
    nftables: transactions,
    nftablesSave: () => inFamilies(tables, (table) => writeListing({ kind: 'nftables', tables: [table] })),
    nftablesScript: () => {
      const { v4, v6 } = transactions();
      return nftablesPolicyScript(v4 + v6, [...tables.keys()]);
    },
  };
}

type RulesOfFamilies = NonNullable<EmittedPolicies['iptables']>;

function iptablesTexts(
  { families }: EmittedPolicies,
  compiled: RulesOfFamilies,
  saved: () => RulesOfFamilies,
  layout: PolicyLayout,
) {
  const texts = (write: (rules: PolicyRules) => Iterable<string>) => inFamilies(compiled, write);
  return {
    iptables: () => texts(({ ruleset }) => [policyRestoreText(ruleset)]),
    iptablesSave: () => inFamilies(saved(), ({ ruleset }) => printRuleset(ruleset, 'save')),
    ipset: () => texts(({ sets }) => ipsetText(sets)),
    ipsetSave: () => texts(({ sets }) => printIpset({ kind: 'ipset', sets })),
    iptablesScript: () =>
      [
        ...iptablesPolicyScript(
          families.map((family) => ({ family, rules: compiled.get(family) })),
          layout,
        ),
      ].join(''),
  };
}

function sizeOf(tables: readonly NftTable[], compiled: readonly PolicyRules[]): PolicySize {
  let rules = 0;
  let setElements = 0;
  for (const { chains, sets } of tables) {
    for (const chain of chains) rules += chain.rules.length;
    for (const { elements } of sets) setElements += elements.length;
  }
  for (const { ruleset, sets } of compiled) {
    for (const table of ruleset.tables) rules += table.rules.length;
    for (const { members } of sets) setElements += members.length;
  }
  return { rules, setElements };
}

function inFamilies<T>(of: ReadonlyMap<Family, T>, write: (one: T) => Iterable<string>): Texts {
  const pieces = (family: Family) => {
    const one = of.get(family);
    return one === undefined ? [] : write(one);
  };
  const texts = onDemand({ v4: () => [...pieces('ipv4')].join(''), v6: () => [...pieces('ipv6')].join('') });
  return Object.assign(texts, { pieces });
}
