import type { EndpointRules } from '../../emit/iptables/endpoints/endpointRules.ts';
import type { EndpointNames } from '../../emit/iptables/nameStore.ts';
import type { RuleSink } from '../../emit/iptables/ruleSink.ts';
import type { Endpoint } from '../../model/endpoint.ts';
import { endpointChainLength } from '../../netfilter/writeEndpointChain.ts';
import type { ByteChains } from '../../node/chains/byteChains.ts';
import type { EndpointSearch } from '../../node/chains/endpointSearch.ts';
import type { EqualChainsDraft } from '../../node/chains/equalChains.ts';

/** Takes the chains of endpoints after a search has found those that are as they should be. */
export type SearchedEndpoints = Required<Pick<RuleSink, 'endpointChains' | 'endpointRules'>>;

/**
 * Chains that were found go into `equal`; the others are declared and written as if there were no search. Every
 * endpoint with a chain has rules in it.
 */
export function searchedEndpoints(
  search: EndpointSearch,
  bytes: ByteChains,
  equal: EqualChainsDraft,
  declare: (chain: string) => void,
): SearchedEndpoints {
  const isSearched = (names: EndpointNames) => names.bytes === search.names;
  const chainOf = ({ start }: EndpointNames, at: number) => search.chains[start / endpointChainLength + at] as number;
  return {
    // Chains that differ are reported in the order of their declarations.
    endpointChains: (names) => {
      const count = (names.end - names.start) / endpointChainLength;
      for (let at = 0; at < count; at += 1) {
        if (!isSearched(names) || chainOf(names, at) === -1) declare(names.texts()[at] as string);
      }
    },
    endpointRules: (rules) => {
      const { chains } = rules;
      for (let at = 0; at < rules.endpoints.length; at += 1) {
        const chain = isSearched(chains) ? chainOf(chains, at) : -1;
        if (chain === -1) write(rules, at);
        else equal.takeNumber(bytes, chain);
      }
    },
  };
}

function write({ name, chains, endpoints, write: writers }: EndpointRules, at: number): void {
  const { ip, address } = endpoints[at] as Endpoint;
  const words = { name, chain: chains.texts()[at] as string, target: '', ip, address, share: '' };
  for (const writeRule of writers) writeRule(words);
}
