import type { Family } from '../../common/addresses/family.ts';
import type { Value, ValueRange } from '../../common/ranges/valueRange.ts';
import type { EntranceLine } from '../../netfilter/iptables/read/entranceLine.ts';
import type { Step } from '../../netfilter/meaning.ts';
import type { NftElement } from '../../netfilter/nft/ast.ts';
import type { Topology } from './topology.ts';

/** What the walk knows about a node: all rules of one family as chains of steps, and everything they look into. */
export interface WalkInput {
  readonly family: Family;
  /**
   * At equal priorities the chain of a later table comes first, because the kernel prefers what was registered later.
   */
  readonly tables: readonly WalkTable[];
  readonly ipsets: ReadonlyMap<string, WalkIpset>;
  readonly ipvs: readonly WalkVirtualService[];
  /** IPVS has others, which nothing shows. */
  readonly hidesServers?: true;
  /** The listing of nft ends within a table of the other family: all tables of this one may be lost. */
  readonly isCutBefore?: true;
  readonly topology: Topology;
  /** Tracked connections. */
  readonly connections: readonly KnownConnection[];
  /** What the dump leaves open about the rules themselves, and the assumptions instead. */
  readonly assumed: readonly string[];
}

/** `ingress` and `egress` belong to a device, before and after all others. */
export type Hook = 'ingress' | 'prerouting' | 'input' | 'forward' | 'output' | 'postrouting' | 'egress';

export interface WalkTable {
  /** Whose language its rules are in. */
  readonly tool: 'iptables' | 'nft';
  readonly backend: 'legacy' | 'nft';
  /** Its name in events. */
  readonly family: 'ip' | 'ip6' | 'inet' | 'netdev';
  readonly name: string;
  readonly chains: WalkChains;
  /** Only a part of it was given: a missing chain may exist on the node. */
  readonly isPart?: true;
  /** In such a part: it was written for iptables-restore. A shared chain that is missing is empty. */
  readonly isWritten?: true;
  /** In such a part, calls of kube-proxy's chains are invented. */
  readonly isFragment?: true;
  /** Sets and maps of nft. */
  readonly sets: ReadonlyMap<string, WalkSet>;
}

/** The chains of a table by name. */
export interface WalkChains extends ReadonlyMap<string, WalkChain> {
  /** Without those of a single Service or endpoint: a large node has a hundred thousand. */
  readonly shared?: () => Iterable<WalkChain>;
}

export interface WalkChain {
  readonly table: WalkTable;
  readonly name: string;
  readonly base?: WalkBase;
  /** Where the dump declares it. */
  readonly place?: { readonly file: string; readonly line: number } | undefined;
  /** The lines of its rules: chains with equal lines have the same rules. */
  readonly text?: string;
  /** Rules are read again each time a packet passes. */
  readonly rules: () => readonly WalkRule[];
}

export interface WalkBase {
  readonly hook: Hook;
  readonly kind: 'filter' | 'nat' | 'route';
  readonly priority: number;
  readonly policy: 'accept' | 'drop';
  /** Rules of the table are lost (its text ends early, or lines could not be read): they may accept what the policy drops. */
  readonly isCutOff?: true;
  /** For ingress and egress: the devices whose packets it sees. A final `*` stands for any ending. */
  readonly devices?: readonly string[];
}

export interface WalkRule {
  readonly chain: WalkChain;
  /** From 1, as the dump lists them. */
  readonly number: number;
  readonly text: string;
  /** The comment of its author. */
  readonly comment?: string | undefined;
  readonly file?: string;
  readonly line?: number;
  readonly steps: readonly Step[];
  /** What the steps ask and do, if the line shows that without being parsed: then these are all of them. */
  readonly entrance?: EntranceLine | undefined;
}

/** A set or map of an nft table. */
export interface WalkSet {
  readonly name: string;
  readonly elements: readonly NftElement[];
  /** Milliseconds that an element lives. */
  readonly timeout?: number;
  /** Packets fill it. */
  readonly isDynamic: boolean;
}

export interface WalkIpset {
  readonly name: string;
  /** `ip`, `net`, `port`, `iface`, `mark`, `mac`: one for each dimension. */
  readonly dimensions: readonly string[];
  readonly members: readonly WalkMember[];
  /** list:set: names of the sets that it holds. */
  readonly lists?: readonly string[];
  readonly isInversePort?: true;
}

export interface WalkMember {
  /** One for each dimension. A port has a protocol before it. */
  readonly parts: readonly WalkMemberPart[];
  readonly isException: boolean;
}

export interface WalkMemberPart {
  readonly range: ValueRange;
  readonly protocol?: number;
  readonly name?: string;
}

export interface WalkVirtualService {
  readonly protocol: number;
  readonly address: Value;
  readonly port: number;
  readonly scheduler: string;
  /** Seconds. */
  readonly persistence?: number;
  readonly servers: readonly WalkServer[];
  readonly text: string;
}

export interface WalkServer {
  readonly address: Value;
  readonly port: number;
  readonly weight: number;
  readonly forward: 'masquerade' | 'route' | 'tunnel' | 'local';
}

/** A connection that conntrack knew at the time of the dump. */
export interface KnownConnection {
  readonly protocol: number;
  readonly original: KnownTuple;
  readonly reply: KnownTuple;
  readonly isUnreplied: boolean;
  readonly mark: number;
}

export interface KnownTuple {
  readonly source: Value;
  readonly destination: Value;
  readonly sourcePort: number;
  readonly destinationPort: number;
}
