import type { Family } from '../../common/addresses/family.ts';
import type { Report } from '../../diagnostics/diagnostic.ts';
import type { PolicyModel } from '../../model/policyModel.ts';
import type { NftTable } from '../../netfilter/nft/ast.ts';
import { nodePolicies } from '../../policy/nodePolicies.ts';
import { emitPolicyIptables, type PolicyRules, speaksFamily } from './iptables/emitPolicyIptables.ts';
import { emitPolicyNftables } from './nftables/emitPolicyNftables.ts';
import type { PolicyOptions } from './policyOptions.ts';

export interface EmitPoliciesOptions extends PolicyOptions {
  readonly backends: readonly ('nftables' | 'iptables')[];
  /** Default: both. Rules of other programs are left alone. */
  readonly families?: readonly Family[];
  /**
   * For callers that print the rules and drop them, the contents of large sets are made again on each request.
   * Otherwise they are made once, and kept.
   */
  readonly isForPrinting?: true;
}

/** The rules of one node that enforce NetworkPolicies, by back end and family. */
export interface EmittedPolicies {
  readonly families: readonly Family[];
  /** Our table for each family; undefined: not requested. */
  readonly nftables: ReadonlyMap<Family, NftTable> | undefined;
  /** For the node's families; undefined: not requested. */
  readonly iptables: ReadonlyMap<Family, PolicyRules> | undefined;
}

/** Lowers NetworkPolicies to the rules of one node. For all nodes, call it once for each. */
export function emitPolicies(model: PolicyModel, options: EmitPoliciesOptions, report: Report): EmittedPolicies {
  const node = nodePolicies(model, options.node);
  const families = options.families ?? (['ipv4', 'ipv6'] as const);
  // Spreading would make everything that is made on demand.
  const kept = <T extends { readonly sets: readonly object[] }>(rules: T): T =>
    options.isForPrinting ? rules : { ...rules, sets: rules.sets.map((set) => ({ ...set })) };
  const has = (backend: 'nftables' | 'iptables') => options.backends.includes(backend);
  if (has('nftables') && options.deny === 'reject' && options.hook === 'postrouting') {
    report({
      code: 'policy-cannot-reject',
      severity: 'warning',
      message: 'the postrouting hook cannot reject: denied traffic is dropped',
      at: [],
    });
  }
  const nftables = has('nftables')
    ? new Map(families.map((family) => [family, kept(emitPolicyNftables(node, family, options, report))] as const))
    : undefined;
  const spoken = families.filter((family) => speaksFamily(node, family, options.node));
  const iptables = has('iptables')
    ? new Map(spoken.map((family) => [family, kept(emitPolicyIptables(node, family, options))] as const))
    : undefined;
  return { families, nftables, iptables };
}
