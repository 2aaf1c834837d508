import type { FlagTest } from './meaning/flagTest.ts';

/**
 * nftables rule sets as data. One AST serves three spellings: the transaction that is fed to `nft -f`, the listing that
 * `nft list` prints, and its JSON form. Values stay the words that were written; `canonicalNftRule` turns them into the
 * kernel's own, and only canonical rules are compared.
 */
export interface NftRuleset {
  readonly kind: 'nftables';
  readonly tables: readonly NftTable[];
}

export interface NftTable {
  readonly family: string;
  readonly name: string;
  readonly comment?: string;
  readonly flags?: readonly string[];
  readonly handle?: number;
  /** nft warns above such a table; its rules are iptables rules in disguise, with parts that nft cannot show. */
  readonly isManagedByIptables?: true;
  /** What of the table's own lines the text does not have. */
  readonly cut?: string;
  /** The text ends within it. */
  readonly isUnfinished?: true;
  /** Lines within it could not be read. */
  readonly hasUnreadLines?: true;
  /** Sets and maps, in order of creation. */
  readonly sets: readonly NftSet[];
  readonly chains: readonly NftChain[];
  /** Counters, quotas, flowtables …: kept as lines, never interpreted. */
  readonly foreign?: readonly ForeignBlock[];
}

export interface ForeignBlock {
  /** `counter blocked {`, without the indentation. */
  readonly head: string;
  /** Everything up to and with the closing brace, as it stands. */
  readonly lines: readonly string[];
}

export interface NftSet {
  readonly kind: 'set' | 'map';
  readonly name: string;
  /** Data types of the key, one a part of a concatenation: `ipv4_addr`, `inet_proto`, `inet_service`. */
  readonly type: readonly string[];
  /** Of a map: `verdict`, or data types. */
  readonly valueType?: readonly string[];
  /** The key (and value) as an expression instead of types: everything behind `typeof`. */
  readonly typeOf?: string;
  readonly flags: readonly string[];
  readonly size?: number;
  /** Milliseconds. */
  readonly timeout?: number;
  /** Milliseconds. */
  readonly gcInterval?: number;
  readonly policy?: string;
  readonly hasAutoMerge?: true;
  /** What each new element gets, since Linux 5.7: `counter`, `limit rate 5/second`. */
  readonly statements?: readonly string[];
  readonly comment?: string;
  readonly handle?: number;
  readonly elements: readonly NftElement[];
}

/** A key or a value: one word a part of a concatenation. Prefixes and ranges are words too: `10.0.0.0/8`, `80-90`. */
export type NftKey = readonly string[];

export interface NftElement {
  readonly key: NftKey;
  readonly comment?: string;
  /** Milliseconds. */
  readonly timeout?: number;
  /** Milliseconds that were left when the set was listed. */
  readonly expires?: number;
  readonly counter?: CounterStatement;
  readonly limit?: LimitStatement;
  readonly verdict?: Verdict;
  /** What a map that holds no verdicts gives. */
  readonly value?: NftKey;
}

export interface NftChain {
  readonly name: string;
  readonly base?: BaseChain;
  readonly comment?: string;
  readonly handle?: number;
  /** It stands inside the rule that jumps to it, `jump { … }`, and has no name of its own: the kernel makes one up. */
  readonly isBound?: true;
  readonly rules: readonly NftRule[];
}

export interface BaseChain {
  readonly type: string;
  readonly hook: string;
  readonly device?: string;
  /** Several, of ingress hooks since Linux 5.5. */
  readonly devices?: readonly string[];
  readonly priority: number;
  /** Undefined in a transaction that leaves it to nft, which means accept. */
  readonly policy?: string;
}

export interface NftRule {
  readonly statements: readonly Statement[];
  readonly comment?: string;
  readonly handle?: number;
  /** The listed text, where it is not the one that the listing printer would write (rules of iptables-nft). */
  readonly written?: string;
}

export type Verdict =
  | { readonly kind: 'accept' | 'drop' | 'return' | 'continue' }
  | { readonly kind: 'jump' | 'goto'; readonly chain: string };

/** What is looked at. */
export type Selector =
  | { readonly kind: 'payload'; readonly protocol: string; readonly field: string }
  | { readonly kind: 'meta'; readonly key: string }
  | { readonly kind: 'ct'; readonly key: string; readonly direction?: 'original' | 'reply' }
  /** What the packet's route says: `rt ip nexthop`, `rt mtu`. */
  | { readonly kind: 'rt'; readonly key: string }
  | { readonly kind: 'socket'; readonly key: string }
  /** `tcp option maxseg size`; without a field, whether there is such an option. */
  | { readonly kind: 'tcpOption'; readonly option: string; readonly field?: string }
  | { readonly kind: 'fib'; readonly flags: readonly string[]; readonly result: string }
  | { readonly kind: 'numgen'; readonly mode: string; readonly modulus: number; readonly offset?: number }
  /** A number that is always the same for the same key: `jhash ip saddr mod 2 seed 0x1`. */
  | {
      readonly kind: 'hash';
      readonly method: 'jhash' | 'symhash';
      /** jhash only. */
      readonly key?: Selector;
      readonly modulus: number;
      readonly seed?: string;
      readonly offset?: number;
    }
  | { readonly kind: 'concat'; readonly parts: readonly Selector[] };

export type Operator = '==' | '!=' | '<' | '>' | '<=' | '>=';

/** What it is compared with. `list` is `established,related`: any of these flags. */
export type Operand =
  | { readonly kind: 'value'; readonly key: NftKey }
  | { readonly kind: 'list'; readonly values: readonly string[] }
  | { readonly kind: 'namedSet'; readonly name: string }
  | {
      readonly kind: 'anonymousSet';
      readonly elements: readonly NftKey[];
      /** Several elements were written and merged to this one: nft takes braces off a single written one only. */
      readonly isMerged?: true;
      /** Written to be loaded, no blanks stand between the elements. */
      readonly isTight?: true;
    };

export interface MatchStatement {
  readonly kind: 'match';
  readonly left: Selector;
  /** `left & mask` is compared. */
  readonly mask?: string;
  readonly operator: Operator;
  readonly right: Operand;
  /** Bits are compared otherwise than by "one of these is set": this says it all, and `right` is its text. */
  readonly flagTest?: FlagTest;
}

/** What a key is looked up in. */
export type MapOperand =
  | { readonly kind: 'namedMap'; readonly name: string }
  | { readonly kind: 'anonymousMap'; readonly elements: readonly NftElement[] };

export interface VmapStatement {
  readonly kind: 'vmap';
  readonly key: Selector;
  readonly map: MapOperand;
}

export interface VerdictStatement {
  readonly kind: 'verdict';
  readonly verdict: Verdict;
}

/** `meta mark set …`: a value, or the old value or-ed (`|`), and-ed (`&`) or xor-ed (`^`) with one, or what a map gives. */
export interface AssignStatement {
  readonly kind: 'assign';
  readonly target: Selector;
  /** Whose value is taken where it is not the target's own: `meta mark set ct mark`, which is `ct mark | 0x0`. */
  readonly source?: Selector;
  /** Of the value that is taken only these bits count: `meta mark & 0x0000ff00 | 0x00000012`. */
  readonly mask?: string;
  readonly operation: '=' | '|' | '&' | '^';
  readonly value: string;
  /** The source is a key of this map: `meta mark set ip daddr map @marks`. Operation and value say nothing then. */
  readonly map?: MapOperand;
}

export interface NatStatement {
  readonly kind: 'nat';
  readonly action: 'dnat' | 'snat' | 'masquerade' | 'redirect';
  /** `ip` or `ip6` before `to`: needed in inet tables, and where a map gives an address with a port. */
  readonly family?: string;
  readonly address?: string;
  readonly port?: string;
  /** The target comes from a map instead: `numgen random mod 2 map { 0 : 10.0.0.1 . 80, 1 : 10.0.0.2 . 80 }`. */
  readonly lookup?: NatLookup;
  readonly flags: readonly string[];
}

export interface NatLookup {
  readonly key: Selector;
  /** A value is an address, or an address and a port. */
  readonly map: MapOperand;
  /** Behind the map: `… map { 0 : 10.0.0.1 }:8080`. */
  readonly port?: string;
}

export interface RejectStatement {
  readonly kind: 'reject';
  /** `tcp reset`, `icmp host-unreachable`; undefined: port unreachable. */
  readonly with?: string;
}

export interface SetUpdateStatement {
  readonly kind: 'setUpdate';
  readonly operation: 'add' | 'update' | 'delete';
  readonly set: string;
  readonly key: Selector;
  /** Milliseconds. */
  readonly timeout?: number;
  /** What each element has of its own, asked or counted whenever the rule comes to it: `limit rate over 10/second`. */
  readonly statements?: readonly ElementStatement[];
  /** Of a map: what the key leads to. */
  readonly value?: Selector;
}

/** `text`: a number of connections, a quota, a time of last use. */
export type ElementStatement = CounterStatement | LimitStatement | { readonly kind: 'foreign'; readonly text: string };

export interface CounterStatement {
  readonly kind: 'counter';
  /** Undefined in a transaction and in `nft -s`. */
  readonly packets?: number;
  readonly bytes?: number;
}

export interface LimitStatement {
  readonly kind: 'limit';
  readonly isOver: boolean;
  readonly rate: number;
  /** `kbytes` and the like; undefined: packets. */
  readonly unit?: string;
  readonly per: string;
  readonly burst?: number;
  readonly burstUnit?: string;
}

export interface LogStatement {
  readonly kind: 'log';
  readonly prefix?: string;
  readonly group?: number;
  readonly snaplen?: number;
  readonly queueThreshold?: number;
  readonly level?: string;
}

/** Not understood: the words from here to the end of the rule (or its comment). */
export interface ForeignStatement {
  readonly kind: 'foreign';
  readonly text: string;
}

export type Statement =
  | MatchStatement
  | VmapStatement
  | VerdictStatement
  | AssignStatement
  | NatStatement
  | RejectStatement
  | SetUpdateStatement
  | CounterStatement
  | LimitStatement
  | LogStatement
  | { readonly kind: 'notrack' }
  | ForeignStatement;

/** Which of the two texts is written: what nft reads, spelt as kube-proxy does, or what `nft list` prints. */
export type NftSpelling = 'transaction' | 'listing';
