import { isHashedServiceChain, nftChainKind } from '../../netfilter/proxyChains.ts';
import type { WalkChain } from '../../walk/input/walkInput.ts';

/** Chains that kube-proxy makes for one Service port, in all modes and versions. */
export function isOfOneService({ name }: WalkChain): boolean {
  return isHashedServiceChain(name) || nftChainKind(name) !== undefined;
}
