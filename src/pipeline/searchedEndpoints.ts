import type { EndpointRules } from '../emit/iptables/endpointRules.ts';
import type { EndpointNames } from '../emit/iptables/nameStore.ts';
import type { Endpoint } from '../model/endpoint.ts';
import { endpointChainLength } from '../netfilter/writeEndpointChain.ts';
import { byteChainsOf } from '../node/byteChains.ts';
import type { EndpointSearch } from '../node/endpointSearch.ts';
import type { EqualChainsDraft } from '../node/equalChains.ts';
import type { ToolRules } from '../node/nodeRules.ts';

/** Takes the chains of endpoints, of which a search has found those that are as they should be. */
export interface SearchedEndpoints {
  /** The chain lines of a Service port's endpoints. */
  readonly chains: (names: EndpointNames) => void;
  /** The rules of a Service port's endpoints. */
  readonly rules: (rules: EndpointRules) => void;
  /** The Service port is done. */
  readonly end: () => void;
}

/** Chains that were found go into `equal`; the others are declared and written as if there were no search. */
export function searchedEndpoints(
  search: EndpointSearch,
  found: ToolRules | undefined,
  equal: EqualChainsDraft,
  declare: (chain: string) => void,
): SearchedEndpoints {
  const nat = found?.tables.get('nat');
  const bytes = nat && byteChainsOf(nat);
  // Through 1.22 not all endpoints with a chain have rules in it.
  let open: EndpointNames | undefined;
  const chainOf = ({ start }: EndpointNames, at: number) => search.chains[start / endpointChainLength + at] as number;
  const declareAll = (names: EndpointNames) => {
    for (const name of names.texts()) declare(name);
  };
  return {
    chains: (names) => {
      if (names.bytes !== search.names) {
        declareAll(names);
        return;
      }
      open = names;
      const count = (names.end - names.start) / endpointChainLength;
      for (let at = 0; at < count; at += 1) if (chainOf(names, at) === -1) declare(names.texts()[at] as string);
    },
    rules: (rules) => {
      const { chains } = rules;
      if (bytes === undefined || open === undefined || chains !== open) {
        for (let at = 0; at < rules.endpoints.length; at += 1) write(rules, at);
        return;
      }
      open = undefined;
      for (let at = 0; at < rules.endpoints.length; at += 1) {
        const chain = chainOf(chains, at);
        if (chain === -1) write(rules, at);
        else equal.takeNumber(bytes, chain);
      }
    },
    end: () => {
      if (open !== undefined) declareAll(open);
      open = undefined;
    },
  };
}

function write({ name, chains, endpoints, write: writers }: EndpointRules, at: number): void {
  const { ip, address } = endpoints[at] as Endpoint;
  const words = { name, chain: chains.texts()[at] as string, target: '', ip, address, share: '' };
  for (const writeRule of writers) writeRule(words);
}
