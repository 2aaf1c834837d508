/**
 * One iptables rule set as data. A rule is a list of words in the order they were written: header options (`-s`, `-d`,
 * `-i`, `-o`, `-p`, `-f`) and matches. kube-proxy writes header options between and behind matches; the kernel's tools
 * print them first. Both spellings of one rule parse to the same words up to their order, and `canonical` gives one form.
 */
export interface Ruleset {
  readonly kind: 'iptables';
  readonly family: 'ipv4' | 'ipv6';
  /** Of a text that tells it. */
  readonly backend?: 'legacy' | 'nft';
  readonly tables: readonly Table[];
}

export interface Table {
  readonly name: string;
  readonly chains: readonly Chain[];
  /** In written order over all chains (restore text interleaves chains). */
  readonly rules: readonly Rule[];
  /** It has a table line and no COMMIT. */
  readonly isUnfinished?: true;
}

export interface Chain {
  readonly name: string;
  /** Undefined for a user chain. */
  readonly policy?: string;
  /** `[packets:bytes]`, as text. */
  readonly counters?: string;
  /** Line of the text that declares it, from 1; absent in compiled chains. */
  readonly line?: number;
}

export interface Rule {
  readonly chain: string;
  readonly words: readonly Word[];
  /** Undefined: the rule only counts (legal since ever; kube-proxy 1.27+ ends KUBE-FW so). */
  readonly target?: Target;
  /** `[packets:bytes]`, as text. */
  readonly counters?: string;
  /** Line of the text the rule was read from, from 1; absent in compiled rules. */
  readonly line?: number;
}

export type Word = HeaderWord | Match;

/** Header options; `negated` is `! -s …`. */
export type HeaderWord =
  | { readonly kind: 'source'; readonly negated?: boolean; readonly address: string }
  | { readonly kind: 'destination'; readonly negated?: boolean; readonly address: string }
  | { readonly kind: 'inInterface'; readonly negated?: boolean; readonly name: string }
  | { readonly kind: 'outInterface'; readonly negated?: boolean; readonly name: string }
  | { readonly kind: 'protocol'; readonly negated?: boolean; readonly protocol: string }
  | { readonly kind: 'fragment'; readonly negated?: boolean };

/** Port or range of ports: `80`, `30000:32767`; service names as written. */
export type PortText = string;

export type Match =
  /** `isBare`: written without quotes (kube-proxy does so with a bare `namespace/name:port`); only restore text shows it. */
  | { readonly kind: 'comment'; readonly text: string; readonly isBare?: boolean }
  /** tcp, udp, sctp, dccp, udplite. Options follow `-p` and `-d` in kube-proxy's own spelling. */
  | TransportMatch
  | { readonly kind: 'conntrack'; readonly options: readonly ConntrackOption[] }
  | { readonly kind: 'mark'; readonly negated?: boolean; readonly value: number; readonly mask: number }
  | { readonly kind: 'addrtype'; readonly options: readonly AddrtypeOption[] }
  | { readonly kind: 'statistic'; readonly mode: 'random'; readonly negated?: boolean; readonly probability: string }
  | {
      readonly kind: 'statistic';
      readonly mode: 'nth';
      readonly negated?: boolean;
      readonly every: number;
      readonly packet: number;
    }
  | RecentMatch
  | { readonly kind: 'physdev'; readonly options: readonly PhysdevOption[] }
  | {
      readonly kind: 'set';
      readonly negated?: boolean;
      readonly set: string;
      /** One a dimension of the set: which side of the packet is looked up. */
      readonly sides: readonly SetSide[];
      readonly options?: readonly SetOption[];
    }
  | { readonly kind: 'ipvs'; readonly options: readonly MatchOption[] }
  | { readonly kind: 'nfacct'; readonly name: string }
  /** Any other match: kept as written, printed back; known option grammars are normalized, the rest never interpreted. */
  | { readonly kind: 'other'; readonly name: string; readonly options: readonly MatchOption[] };

export interface TransportMatch {
  readonly kind: 'transport';
  readonly protocol: string;
  readonly destinationPort?: PortText;
  readonly destinationPortNegated?: boolean;
  readonly sourcePort?: PortText;
  readonly sourcePortNegated?: boolean;
  /** `--tcp-flags`, `--tcp-option`, `--chunk-types` …, in print order. */
  readonly options?: readonly MatchOption[];
  /** Restore text only: options stand before a `-d` that comes right behind `-p` (kube-proxy 1.31's counted node ports). */
  readonly optionsFollow?: 'protocol';
}

export interface RecentMatch {
  readonly kind: 'recent';
  readonly action: 'set' | 'rcheck' | 'update' | 'remove';
  readonly negated?: boolean;
  readonly name: string;
  readonly seconds?: number;
  readonly isReaping?: boolean;
  readonly hitcount?: number;
  readonly hasTtl?: boolean;
  readonly mask?: string;
  readonly side?: 'rsource' | 'rdest';
}

/** `! --ctstate RELATED,ESTABLISHED` and its siblings, in the order they were written. */
export type ConntrackOption = { readonly negated?: boolean } & (
  | { readonly name: 'ctstate'; readonly states: readonly ConntrackState[] }
  | { readonly name: 'ctstatus'; readonly statuses: readonly ConntrackStatus[] }
  | { readonly name: 'ctproto'; readonly protocol: string }
  | { readonly name: 'ctorigsrc' | 'ctorigdst' | 'ctreplsrc' | 'ctrepldst'; readonly address: string }
  | {
      readonly name: 'ctorigsrcport' | 'ctorigdstport' | 'ctreplsrcport' | 'ctrepldstport';
      readonly ports: PortText;
    }
  | { readonly name: 'ctexpire'; readonly seconds: string }
  | { readonly name: 'ctdir'; readonly direction: 'ORIGINAL' | 'REPLY' }
);

/** SNAT and DNAT are asked for like states, but go with any of them: the connection's source or destination is translated. */
export type ConntrackState = 'INVALID' | 'NEW' | 'RELATED' | 'ESTABLISHED' | 'UNTRACKED' | 'SNAT' | 'DNAT';
export type ConntrackStatus = 'NONE' | 'EXPECTED' | 'SEEN_REPLY' | 'ASSURED' | 'CONFIRMED';

export type AddrtypeOption =
  | { readonly name: 'src-type' | 'dst-type'; readonly negated?: boolean; readonly types: readonly AddressType[] }
  | { readonly name: 'limit-iface-in' | 'limit-iface-out'; readonly negated?: boolean };

export type AddressType =
  | 'UNSPEC'
  | 'UNICAST'
  | 'LOCAL'
  | 'BROADCAST'
  | 'ANYCAST'
  | 'MULTICAST'
  | 'BLACKHOLE'
  | 'UNREACHABLE'
  | 'PROHIBIT'
  | 'THROW'
  | 'NAT'
  | 'XRESOLVE';

export type PhysdevOption =
  | { readonly name: 'physdev-is-in' | 'physdev-is-out' | 'physdev-is-bridged'; readonly negated?: boolean }
  | { readonly name: 'physdev-in' | 'physdev-out'; readonly negated?: boolean; readonly port: string };

export type SetSide = 'src' | 'dst';

export type SetOption =
  | { readonly name: 'return-nomatch' | 'update-counters' | 'update-subcounters'; readonly negated?: boolean }
  | { readonly name: SetCounterName; readonly negated?: boolean; readonly count: string };

export type SetCounterName = 'packets-eq' | 'packets-lt' | 'packets-gt' | 'bytes-eq' | 'bytes-lt' | 'bytes-gt';

/** `--ctstate NEW`, `! --src-type LOCAL`, `--random`: a name without its dashes and the words that follow, if any. */
export interface MatchOption {
  readonly name: string;
  readonly negated?: boolean;
  readonly values: readonly string[];
  /** Kept for options nobody here knows, so that they are printed back as they were written. */
  readonly isQuoted?: boolean;
}

export type Target =
  /** A user chain, ACCEPT, DROP, RETURN; `goto` is `-g`. */
  | { readonly kind: 'jump'; readonly chain: string; readonly isGoto?: boolean }
  | { readonly kind: 'reject'; readonly with?: string }
  /** `operation` is how kube-proxy spells it; the kernel keeps `(mark & ~mask) ^ value` and prints `--set-xmark value/mask`. */
  | {
      readonly kind: 'mark';
      readonly operation: 'set' | 'or' | 'and' | 'xor' | 'set-xmark';
      readonly value: number;
      readonly mask?: number;
    }
  | { readonly kind: 'masquerade'; readonly isRandomFully?: boolean; readonly options?: readonly MatchOption[] }
  | { readonly kind: 'dnat'; readonly to: string; readonly options?: readonly MatchOption[] }
  | { readonly kind: 'snat'; readonly to: string; readonly options?: readonly MatchOption[] }
  | { readonly kind: 'other'; readonly name: string; readonly options: readonly MatchOption[] };
