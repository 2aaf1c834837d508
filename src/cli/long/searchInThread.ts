import type { Worker } from 'node:worker_threads';
import { endpointChainLength } from '../../netfilter/writeEndpointChain.ts';
import type {
  EndpointSearch,
  FoundEndpoints,
  SearchEndpoints,
  WantedEndpoints,
} from '../../node/chains/endpointSearch.ts';

/** A request to the thread that holds a dump. */
export interface SearchRequest {
  readonly wanted: WantedEndpoints;
  readonly found: FoundEndpoints;
}

/** Has chains of endpoints looked for by the thread that read a dump. */
export function searchInThread(thread: Worker): SearchEndpoints {
  const begun = new Map<object, { readonly shapes: string; readonly search: EndpointSearch }>();
  return (key, shapes, wanted) => {
    const written = JSON.stringify(shapes);
    const known = begun.get(key);
    if (known?.shapes === written) return known.search;
    const search = begin(thread, wanted());
    begun.set(key, { shapes: written, search });
    return search;
  };
}

function begin(thread: Worker, wanted: WantedEndpoints): EndpointSearch {
  const count = wanted.counts.reduce((sum, own) => sum + own, 0);
  const found: FoundEndpoints = {
    names: Buffer.from(new SharedArrayBuffer(count * endpointChainLength)),
    chains: new Int32Array(new SharedArrayBuffer(count * Int32Array.BYTES_PER_ELEMENT)),
    progress: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)),
  };
  thread.postMessage({ wanted, found } satisfies SearchRequest);
  return { ...found, waitFor: (endpoints) => waitFor(found.progress, endpoints) };
}

function waitFor(progress: Int32Array, endpoints: number): boolean {
  for (let done = Atomics.load(progress, 0); done < endpoints; done = Atomics.load(progress, 0)) {
    if (done === -1) return false;
    // After one wait in vain, nothing waits again.
    if (Atomics.wait(progress, 0, done, patience) === 'timed-out') Atomics.compareExchange(progress, 0, done, -1);
  }
  return true;
}

/**
 * In milliseconds. The thread reports its progress after every few of them; it may have been ended, or wait for a
 * processor.
 */
const patience = 1000;
