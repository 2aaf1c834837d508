import type { Family } from '../../common/family.ts';
import type { Report } from '../../diagnostics/diagnostic.ts';
import type { PolicyModel } from '../../model/policyModel.ts';
import { writeTransaction } from '../../netfilter/nft/writeTransaction.ts';
import { nodePolicies } from '../../policy/nodePolicies.ts';
import { emitNftables, replaceTable } from './nftables/emitNftables.ts';
import type { PolicyOptions } from './policyOptions.ts';

/** Rule texts of one node, a family each: `nftables` is fed to `nft -f` and replaces our table atomically. */
export interface CompiledPolicies {
  readonly nftables?: { readonly v4: string; readonly v6: string };
}

export interface CompilePoliciesOptions extends PolicyOptions {
  readonly backends: readonly ('nftables' | 'iptables')[];
}

/** Compiles NetworkPolicies to the rules of one node. For all nodes, call it once a node. */
export function compilePolicies(model: PolicyModel, options: CompilePoliciesOptions, report: Report): CompiledPolicies {
  const node = nodePolicies(model, options.node);
  const nft = (family: Family) =>
    [...writeTransaction(replaceTable(emitNftables(node, family, options, report)))].join('');
  return options.backends.includes('nftables') ? { nftables: { v4: nft('ipv4'), v6: nft('ipv6') } } : {};
}
