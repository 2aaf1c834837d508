import { isKubeName } from '../../netfilter/proxyChains.ts';
import type { WalkChain } from './walkInput.ts';

/** kube-proxy writes this chain: of iptables by its name, of nft by its table's. */
export function isOfProxy({ name, table }: WalkChain): boolean {
  return isKubeName(name) || /^kube-proxy/.test(table.name);
}
