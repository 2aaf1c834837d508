import { findEndpoints } from '../../src/dump/bytes/findEndpoints.ts';
import type { LongDumpIndex } from '../../src/dump/bytes/indexLongDump.ts';
import { endpointChainLength } from '../../src/netfilter/writeEndpointChain.ts';
import type { SearchEndpoints } from '../../src/node/chains/endpointSearch.ts';

/** Looks for chains of endpoints as a thread does, but at once. `lost`: of endpoints behind so many nobody hears. */
export function searchAtOnce(index: LongDumpIndex, lost = Number.POSITIVE_INFINITY): SearchEndpoints {
  return (_key, _shapes, wantedOf) => {
    const wanted = wantedOf();
    const count = wanted.counts.reduce((sum, own) => sum + own, 0);
    const found = {
      names: Buffer.alloc(count * endpointChainLength),
      chains: new Int32Array(count),
      progress: new Int32Array(new SharedArrayBuffer(4)),
    };
    findEndpoints(index, wanted, found);
    let isLost = false;
    return {
      ...found,
      waitFor: (endpoints) => {
        isLost ||= endpoints > lost;
        return !isLost && (found.progress[0] as number) >= endpoints;
      },
    };
  };
}
