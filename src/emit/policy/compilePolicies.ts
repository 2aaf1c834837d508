import type { Family } from '../../common/family.ts';
import type { Report } from '../../diagnostics/diagnostic.ts';
import type { PolicyModel } from '../../model/policyModel.ts';
import { printIpset } from '../../netfilter/ipset/printIpset.ts';
import { printRuleset } from '../../netfilter/iptables/print.ts';
import { writeListing } from '../../netfilter/nft/writeListing.ts';
import { writeTransaction } from '../../netfilter/nft/writeTransaction.ts';
import { type NodePolicies, nodePolicies } from '../../policy/nodePolicies.ts';
import { emitIptables, speaksFamily } from './iptables/emitIptables.ts';
import { applyScript, hereDocument, ipsetText, restoreText } from './iptables/loadTexts.ts';
import { emitNftables, replaceTable } from './nftables/emitNftables.ts';
import type { PolicyOptions } from './policyOptions.ts';

/** The rules of one node as texts. */
export interface CompiledPolicies {
  /** Fed to `nft -f`: each replaces our table of its family, all at once, and may be loaded again and again. */
  readonly nftables?: { readonly v4: string; readonly v6: string };
  /** What `nft list table` then shows. */
  readonly nftablesSave?: { readonly v4: string; readonly v6: string };
  /** Fed to `iptables-restore --noflush` and `ip6tables-restore --noflush`; empty: the node lacks that family. */
  readonly iptables?: { readonly v4: string; readonly v6: string };
  /** The filter table as `iptables-save` then shows it, with the jumps from the built-in chains. */
  readonly iptablesSave?: { readonly v4: string; readonly v6: string };
  /** Fed to `ipset restore` before the rules: sets of both families. */
  readonly ipset?: string;
  /** As `ipset save` shows them, but for what the kernel makes up. */
  readonly ipsetSave?: string;
  /** Shell scripts that load all of it, of both families. */
  readonly nftablesScript?: string;
  readonly iptablesScript?: string;
}

export interface CompilePoliciesOptions extends PolicyOptions {
  readonly backends: readonly ('nftables' | 'iptables')[];
}

/** Compiles NetworkPolicies to the rules of one node. For all nodes, call it once a node. */
export function compilePolicies(model: PolicyModel, options: CompilePoliciesOptions, report: Report): CompiledPolicies {
  const node = nodePolicies(model, options.node);
  return {
    ...(options.backends.includes('nftables') ? nftables(node, options, report) : {}),
    ...(options.backends.includes('iptables') ? iptables(node, options) : {}),
  };
}

function nftables(node: NodePolicies, options: PolicyOptions, report: Report): CompiledPolicies {
  if (options.deny === 'reject' && options.hook === 'postrouting') {
    report({
      code: 'policy-cannot-reject',
      severity: 'warning',
      message: 'the postrouting hook cannot reject: denied traffic is dropped',
      at: [],
    });
  }
  const v4 = emitNftables(node, 'ipv4', options, report);
  const v6 = emitNftables(node, 'ipv6', options, report);
  const transaction = (table: typeof v4) => [...writeTransaction(replaceTable(table))].join('');
  const listing = (table: typeof v4) => [...writeListing({ kind: 'nftables', tables: [table] })].join('');
  return {
    nftables: { v4: transaction(v4), v6: transaction(v6) },
    nftablesSave: { v4: listing(v4), v6: listing(v6) },
    // One transaction: both families or none.
    nftablesScript: `#!/bin/sh\nset -eu\n${hereDocument('nft -f -', transaction(v4) + transaction(v6))}\n`,
  };
}

function iptables(node: NodePolicies, options: PolicyOptions): CompiledPolicies {
  const compiled = (family: Family) =>
    speaksFamily(node, family, options.node) ? emitIptables(node, family, options) : undefined;
  const v4 = compiled('ipv4');
  const v6 = compiled('ipv6');
  const rulesets = [v4, v6].flatMap((each) => (each === undefined ? [] : [each.ruleset]));
  const sets = [...(v4?.sets ?? []), ...(v6?.sets ?? [])];
  const ipset = ipsetText(sets);
  const save = (each: typeof v4) => (each === undefined ? '' : [...printRuleset(each.ruleset, 'save')].join(''));
  const restore = (each: typeof v4) => (each === undefined ? '' : restoreText(each.ruleset));
  return {
    iptables: { v4: restore(v4), v6: restore(v6) },
    iptablesSave: { v4: save(v4), v6: save(v6) },
    ipset,
    ipsetSave: [...printIpset({ kind: 'ipset', sets })].join(''),
    iptablesScript: applyScript(ipset, rulesets),
  };
}
