import { isHashedServiceChain, nftChainKind } from '../../netfilter/proxyChains.ts';
import type { WalkChain } from './walkInput.ts';

/** Chains that kube-proxy makes for one Service port, in all modes and versions. */
export function isOfOneService({ name }: Pick<WalkChain, 'name'>): boolean {
  return isHashedServiceChain(name) || nftChainKind(name) !== undefined;
}
