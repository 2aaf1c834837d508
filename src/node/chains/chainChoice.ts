import type { ServiceChainKind } from '../../netfilter/proxyChains.ts';

/** Which chains of Services a caller can use: some kinds, or those with some names. */
export type ChainChoice =
  // `isForFaults`: those in order are of no use.
  | { readonly kinds: (kind: ServiceChainKind) => boolean; readonly isForFaults?: true }
  | { readonly names: () => Iterable<string> };
