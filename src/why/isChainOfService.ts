import { nftChainKind, serviceChainKind } from '../netfilter/proxyChains.ts';
import { nftServiceName } from '../seen/names/nftServiceName.ts';

/** The chain of one Service, or of an endpoint, that leads on to endpoints: those of source ranges only admit or drop. */
export function isChainOfService(chain: string): boolean {
  const kind = serviceChainKind(chain) ?? nftChainKind(chain);
  return kind !== 'firewall' && (kind !== undefined || nftServiceName(chain) !== undefined);
}
