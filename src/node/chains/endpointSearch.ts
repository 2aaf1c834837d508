import type { RuleTemplate } from '../../netfilter/iptables/print/ruleTemplate.ts';

/** The chains that IPv4 endpoints should have, as plain values that can be given to a thread. */
export interface WantedEndpoints {
  readonly shapes: readonly EndpointShape[];
  /** For each Service port: its name as rules write it, the number of its shape, and how many endpoints it has. */
  readonly names: readonly string[];
  readonly shapeOf: Uint8Array;
  readonly counts: Int32Array;
  /** `ip:port` of all endpoints, with a line break behind each. */
  readonly addresses: string;
}

/** What the rules for the endpoints of some Service ports have in common. */
export interface EndpointShape {
  /** `tcp`, `udp`, `sctp`. */
  readonly protocol: string;
  /** Undefined: the chains are identified by name, without a search. */
  readonly rules: readonly RuleTemplate<EndpointHole>[];
}

export type EndpointHole = 'name' | 'chain' | 'ip' | 'address';

/** The results, in memory that two threads share. */
export interface FoundEndpoints {
  /** The names of all chains, one after another. */
  readonly names: Uint8Array;
  /** For each endpoint, the number of the chain in bytes that has exactly its rules; -1: there is none. */
  readonly chains: Int32Array;
  /** How many endpoints are done; -1: no more results will come. */
  readonly progress: Int32Array;
}

/** A search for the chains of endpoints in progress. */
export interface EndpointSearch extends FoundEndpoints {
  /** Waits until this many endpoints are done. False: that may never happen. */
  readonly waitFor: (endpoints: number) => boolean;
}

/**
 * Starts looking for the chains of endpoints while the caller does something else. A search that has started for the
 * same key and shapes is returned.
 */
export type SearchEndpoints = (
  key: object,
  shapes: readonly EndpointShape[],
  wanted: () => WantedEndpoints,
) => EndpointSearch;
