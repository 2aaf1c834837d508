import type { RuleTemplate } from '../../netfilter/iptables/ruleTemplate.ts';

/** The chains that endpoints of IPv4 should have, as plain values: a thread can be given them. */
export interface WantedEndpoints {
  readonly shapes: readonly EndpointShape[];
  /** Of each Service port: its name as rules write it, the number of its shape, and how many endpoints it has. */
  readonly names: readonly string[];
  readonly shapeOf: Uint8Array;
  readonly counts: Int32Array;
  /** `ip:port` of all endpoints, with a line break behind each. */
  readonly addresses: string;
}

/** What the rules of the endpoints of some Service ports have in common. */
export interface EndpointShape {
  /** `tcp`, `udp`, `sctp`. */
  readonly protocol: string;
  /** None: the chains are named, and not looked for. */
  readonly rules: readonly RuleTemplate<EndpointHole>[];
}

export type EndpointHole = 'name' | 'chain' | 'ip' | 'address';

/** What was found of them, in memory that two threads see. */
export interface FoundEndpoints {
  /** The names of all chains, one behind the other. */
  readonly names: Uint8Array;
  /** Of each endpoint the number of the chain that stands in the bytes with just its rules; -1: none does. */
  readonly chains: Int32Array;
  /** How many endpoints are done; -1: nothing comes any more. */
  readonly progress: Int32Array;
}

/** The search for the chains of endpoints, while it goes on. */
export interface EndpointSearch extends FoundEndpoints {
  /** Waits until so many endpoints are done. False: nobody knows when. */
  readonly waitFor: (endpoints: number) => boolean;
}

/**
 * Begins to look for the chains of endpoints while the caller does something else; gives the search that has begun for the
 * same key and shapes.
 */
export type SearchEndpoints = (
  key: object,
  shapes: readonly EndpointShape[],
  wanted: () => WantedEndpoints,
) => EndpointSearch;
