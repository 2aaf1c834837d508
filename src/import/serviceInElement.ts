import type { NftElement } from '../netfilter/nft/ast.ts';
import { nftChainName } from '../node/nftChainName.ts';
import { servicePortName } from '../node/servicePortName.ts';

/** `namespace/name` that an element of kube-proxy's maps leads to, or that its comment names; undefined: none. */
export function serviceInElement({ verdict, comment = '' }: NftElement): string | undefined {
  const chain = verdict !== undefined && 'chain' in verdict ? verdict.chain : '';
  return (nftChainName(chain) ?? servicePortName(comment))?.service;
}
