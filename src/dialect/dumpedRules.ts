import type { IpSet } from '../netfilter/ipset/ast.ts';
import type { Ruleset } from '../netfilter/iptables/ast.ts';
import type { NftTable } from '../netfilter/nft/ast.ts';

/** The rules and sets of a node by which versions are detected; some chains of each kind are enough. */
export interface DumpedRules {
  readonly iptables: readonly Ruleset[];
  /** kube-proxy's tables of nftables mode. */
  readonly nft: readonly NftTable[];
  readonly ipsets: readonly Pick<IpSet, 'name' | 'type'>[];
  /** The sets and maps that a text for `nft -f` empties, in order; undefined: no such text. */
  readonly flushed?: readonly string[];
}
