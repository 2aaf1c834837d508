import type { Family } from '../common/family.ts';
import type { ConntrackFlow } from '../netfilter/conntrack/flow.ts';
import type { NftTable } from '../netfilter/nft/ast.ts';
import type { TableChains } from './chains/byteChains.ts';
import type { DumpPlace } from './lines/chainLines.ts';
import type { UnreadLine } from './lines/unreadLine.ts';
import type { NetworkFacts } from './networkFacts.ts';
import type { ProxyFacts } from './proxyFacts.ts';
import type { RuleChain } from './ruleChain.ts';

/**
 * What one node holds: read from dumps, or compiled from manifests. Readonly from the moment it is made: whoever compares
 * or walks keeps indexes of its own. Nothing here knows YAML, plans or emitters.
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
  /** Connections over UDP, and those over TCP that nobody answers. */
  readonly connections: readonly Connection[];
  readonly bridgePorts: readonly BridgePort[];
  /** Interfaces, routes, sysctls, Pods: what packets go by beside rules. */
  readonly network: NetworkFacts;
  /** What kube-proxy says of itself. */
  readonly proxy: ProxyFacts;
  /** Where the saving program said that the legacy back end has tables too. */
  readonly legacyWarnings: readonly DumpPlace[];
  /** Tables that the saving program said it cannot show: `nat`. */
  readonly hiddenTables: readonly { readonly table: string; readonly file: string; readonly line: number }[];
  /**
   * Chains in tables of iptables as nft lists them: the first of a Service in each table, and FORWARD where its policy
   * drops. Such tables are not compared, but these show that kube-proxy wrote there, and what stops forwarded packets.
   */
  readonly chainsListedByNft: readonly RuleChain[];
  readonly unread: readonly UnreadLine[];
  readonly notes: readonly string[];
}

export type RuleKind = 'iptables' | 'nftables' | 'ipset' | 'ipvs' | 'addresses';

/** What one tool shows of one family (of iptables: and one back end). */
export interface ToolRules {
  readonly kind: RuleKind;
  readonly family: Family;
  /** What the dump says of the program that saved it. */
  readonly backend?: 'legacy' | 'nft';
  /** By name; nft's by family and name: `ip kube-proxy`. */
  readonly tables: ReadonlyMap<string, RuleTable>;
  /** Read from a listing that does not show everything (`iptables -L`). */
  readonly isLossy?: true;
  /** Of these rules interfaces are not shown either (`iptables -L` without -v). */
  readonly hidesInterfaces?: true;
  /** Files it was read from; empty: compiled. */
  readonly files: readonly string[];
}

export interface RuleTable {
  readonly name: string;
  /** Built-in chains were declared and nothing is cut off: what is not here is not on the node. */
  readonly isWhole: boolean;
  /** What shows that somebody cut the table: no kernel holds it so. */
  readonly cut?: string;
  /** Not whole, but from its first line to COMMIT as somebody wrote it for iptables-restore: no line of that is left out. */
  readonly isWritten?: true;
  /** It was cut at its end: what stands in it may lack its last lines. */
  readonly isUnfinished?: true;
  /** Some chains were listed, each to its end (`iptables -L CHAIN`), and others were not. */
  readonly hasWholeChains?: true;
  /** Sets and maps of nft are chains too, named `set NAME` and `map NAME`; their elements are lines. */
  readonly chains: TableChains;
  /** Of a table of nft: what it holds beside chains and sets. */
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
  /** One end of a pair, whose other end is in another namespace: a Pod's, mostly. */
  readonly isVeth: boolean;
  /** The bridge sends a packet back out of the port that it came in by. */
  readonly isHairpin: boolean;
  readonly file: string;
  readonly line: number;
}
