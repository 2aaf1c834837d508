import { nftChainName } from './nftChainName.ts';
import { readServicePortName } from './readServicePortName.ts';

/** `namespace/name` of the chain that an element of kube-proxy's maps leads to, or that its comment names; undefined: none. */
export function serviceOfElement(chain: string, comment: string): string | undefined {
  return (nftChainName(chain) ?? readServicePortName(comment))?.service;
}
