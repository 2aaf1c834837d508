import type { Family } from '../common/family.ts';
import type { Flow } from '../netfilter/conntrack/flow.ts';
import type { Rule } from '../netfilter/iptables/ast.ts';
import type { ServicePlan } from '../plan/plan.ts';
import type { UnreadLine } from './unreadLine.ts';

/**
 * The rules of one node as texts by table and chain: what was dumped, or what should be there. Half a million lines that
 * are equal as text are compared without being parsed; {@link rulesOf} parses a chain when more must be known of it.
 */
export interface RuleSet {
  /** ipset and ipvsadm dumps are `tables` too: a set or a virtual service is a chain, a member or a server a line. */
  readonly kind: 'iptables' | 'nftables' | 'ipset' | 'ipvs' | 'addresses';
  readonly family: Family;
  /** What the dump says of the program that saved it. */
  readonly backend?: 'legacy' | 'nft';
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
  /** Built-in chains were declared: what is not here is not on the node. */
  readonly isWhole: boolean;
  readonly chains: Map<string, RuleChain>;
  /** Chains that a rule leads to and that are not there, once `targetsOf` looked for them. */
  lost?: ReadonlyMap<string, ChainUse>;
}

/** A rule that leads to a chain. */
export interface ChainUse {
  readonly chain: RuleChain;
  readonly at: number;
}

export interface RuleChain {
  readonly name: string;
  /** Policy of a built-in chain. */
  policy?: string;
  /** The chain has a line of its own, beside its rules. */
  isDeclared: boolean;
  /**
   * Lines of one run as they stand in their text, without counters; most chains are one run, and equal runs are compared
   * without being split. See `chainLines.ts`, which reads and writes all of these.
   */
  block: string;
  /** Line of the run in its file; 0: compiled. */
  blockFrom: number;
  /** Lines one by one, once somebody asked, or where they came in several runs. */
  own?: string[];
  ownNumbers?: number[];
  readonly file: string;
  /** Files of the lines, where a chain was pieced together from several. */
  files?: string[];
  /** Line of the declaration; 0: none. */
  declaredAt: number;
  parsed?: readonly Rule[];
  /** The compiled table that this chain stands in as well: it is expected with the very text that was dumped. */
  expectedIn: RuleTable | undefined;
  /** The first rule that leads to it, once `targetsOf` looked for such rules. */
  user: ChainUse | undefined;
  /** Of compiled chains: the service port that all lines belong to, or each. */
  owner?: ServicePlan;
  owners?: (ServicePlan | undefined)[];
}

/** Everything that was read of one node. */
export interface NodeDump {
  readonly name: string;
  readonly sets: readonly RuleSet[];
  readonly unread: readonly UnreadLine[];
  readonly notes: readonly string[];
  /** Tables that the saving program said it cannot show: `nat`. */
  readonly hiddenTables: readonly { readonly table: string; readonly file: string; readonly line: number }[];
  /**
   * Chains in tables of iptables as nft lists them: the first of a Service in each table, and FORWARD where its policy
   * drops. Such tables are not compared, but these tell that kube-proxy wrote there, and what stops forwarded packets.
   */
  readonly chainsListedByNft: readonly RuleChain[];
  /** Connections over UDP. */
  readonly connections: readonly Connection[];
  readonly bridgePorts: readonly BridgePort[];
}

/** A tracked connection, and the file that shows it. */
export interface Connection {
  readonly flow: Flow;
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

export function newChain(name: string, file: string): RuleChain {
  // What is set later for most chains of a large dump has its room from the start.
  return {
    name,
    isDeclared: false,
    block: '',
    blockFrom: 0,
    file,
    declaredAt: 0,
    expectedIn: undefined,
    user: undefined,
  };
}

/** The chain of a compiled table; where the dump's own chain stands for it, that one. */
export function expectedChain(table: RuleTable, dumped: RuleTable, name: string): RuleChain | undefined {
  const twin = dumped.chains.get(name);
  return twin?.expectedIn === table ? twin : table.chains.get(name);
}

/** The chain of a table, made where it is not there yet. */
export function chainOf(table: RuleTable, name: string, file: string): RuleChain {
  let chain = table.chains.get(name);
  if (chain === undefined) {
    chain = newChain(name, file);
    table.chains.set(name, chain);
  }
  return chain;
}
