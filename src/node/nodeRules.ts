import type { Family } from '../common/addresses/family.ts';
import type { ConntrackFlow } from '../netfilter/conntrack/flow.ts';
import type { NftTable } from '../netfilter/nft/ast.ts';
import type { TableChains } from './chains/byteChains.ts';
import type { DumpPlace } from './lines/chainLines.ts';
import type { UnreadLine } from './lines/unreadLine.ts';
import type { NetworkFacts } from './networkFacts.ts';
import type { ProxyFacts } from './proxyFacts.ts';
import type { RuleChain } from './ruleChain.ts';

/**
 * What one node holds: read from dumps, or compiled from manifests. It is readonly once it is made: code that compares
 * or walks keeps its own indexes. Nothing here knows YAML, plans or emitters.
 */
export interface NodeRules {
  readonly name: string;
  /** One for each family and back end. */
  readonly iptables: readonly ToolRules[];
  /** One for each family: its tables in nft's own syntax, without those that iptables-nft manages. */
  readonly nft: readonly ToolRules[];
  /** One for each family; table `ipset`, a chain for each set. */
  readonly ipsets: readonly ToolRules[];
  /** One for each family; table `ipvs`, a chain for each virtual server. */
  readonly ipvs: readonly ToolRules[];
  /** One for each family; table `addresses`, chain `kube-ipvs0`. */
  readonly addresses: readonly ToolRules[];
  /** UDP connections, and TCP connections that nobody answers. */
  readonly connections: readonly Connection[];
  readonly bridgePorts: readonly BridgePort[];
  /** Interfaces, routes, sysctls, Pods: what decides about packets apart from rules. */
  readonly network: NetworkFacts;
  /** What kube-proxy says about itself. */
  readonly proxy: ProxyFacts;
  /** Where the program that saved the rules said that the legacy back end has tables too. */
  readonly legacyWarnings: readonly DumpPlace[];
  /** Tables that the program could not show: `nat`. */
  readonly hiddenTables: readonly { readonly table: string; readonly file: string; readonly line: number }[];
  /**
   * Chains of iptables tables as nft lists them: the first of a Service in each table, and FORWARD if its policy drops.
   * Such tables are not compared, but these chains show that kube-proxy wrote there, and what stops forwarded packets.
   */
  readonly chainsListedByNft: readonly RuleChain[];
  readonly unread: readonly UnreadLine[];
  readonly notes: readonly string[];
}

export type RuleKind = 'iptables' | 'nftables' | 'ipset' | 'ipvs' | 'addresses';

/** What one tool shows for one family (iptables: and one back end). */
export interface ToolRules {
  readonly kind: RuleKind;
  readonly family: Family;
  /** What the dump says about the program that saved it. */
  readonly backend?: 'legacy' | 'nft';
  /** By name; in nft by family and name: `ip kube-proxy`. */
  readonly tables: ReadonlyMap<string, RuleTable>;
  /** Read from a listing that does not show everything (`iptables -L`). */
  readonly isLossy?: true;
  /** The listing does not show interfaces either (`iptables -L` without -v). */
  readonly hidesInterfaces?: true;
  /** Files it was read from; empty if compiled. */
  readonly files: readonly string[];
}

export interface RuleTable {
  readonly name: string;
  /** Built-in chains were declared and nothing was cut off: what is not in it is not on the node. */
  readonly isWhole: boolean;
  /** What shows that somebody cut the table: no kernel holds such a table. */
  readonly cut?: string;
  /** Not the whole table, but everything that somebody wrote for iptables-restore, from the first line to COMMIT. */
  readonly isWritten?: true;
  /** Its end was cut off: its last lines may be missing. */
  readonly isUnfinished?: true;
  /** It would be whole, but lines of it are lost: its text ends early, or some could not be read. */
  readonly hasLostLines?: true;
  /** Some chains were listed completely (`iptables -L CHAIN`), and others were not. */
  readonly hasWholeChains?: true;
  /** Sets and maps of nft are chains too, named `set NAME` and `map NAME`; their elements are lines. */
  readonly chains: TableChains;
  /** For an nft table: what it holds besides chains and sets. */
  readonly nft?: Omit<NftTable, 'chains' | 'sets'>;
}

/** A tracked connection, and the file that shows it. */
export interface Connection {
  readonly flow: ConntrackFlow;
  readonly file: string;
}

/** A port of a bridge. */
export interface BridgePort {
  readonly name: string;
  readonly bridge: string;
  /** One end of a pair whose other end is in another namespace: usually a Pod's. */
  readonly isVeth: boolean;
  /** The bridge sends packets back out of the port by which they came in. */
  readonly isHairpin: boolean;
  readonly file: string;
  readonly line: number;
}
