import { endpointNames, type NameStore, nameStore } from '../../emit/iptables/nameStore.ts';
import { endpointChainLength } from '../../netfilter/writeEndpointChain.ts';
import type { EndpointSearch } from '../../node/chains/endpointSearch.ts';

/** Names of chains; a search has found those of endpoints, and if it fails they are made here. */
export function searchedNames(search: EndpointSearch): NameStore {
  const own = nameStore();
  let count = 0;
  return {
    nextHash: own.nextHash,
    next: (endpoints, seed) => {
      const start = count * endpointChainLength;
      count += endpoints;
      if (!search.waitFor(count)) return own.next(endpoints, seed);
      return endpointNames(search.names, start, count * endpointChainLength);
    },
    rewind: () => {
      own.rewind();
      count = 0;
    },
  };
}
