import type { ChainReader } from './seenChain.ts';

/** A reader that remembers which chains were asked for, and which endpoints they lead to. */
export interface TrackingReader extends ChainReader {
  readonly reached: ReadonlySet<string>;
}

export function trackingReader({ service, endpoint }: ChainReader): TrackingReader {
  const reached = new Set<string>();
  return {
    reached,
    service: (name) => {
      const chain = service(name);
      if (!reached.has(name)) for (const own of chain?.chains ?? []) reached.add(own);
      reached.add(name);
      return chain;
    },
    endpoint: (name) => {
      reached.add(name);
      return endpoint(name);
    },
  };
}
