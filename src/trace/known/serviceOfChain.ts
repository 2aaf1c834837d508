import { isHashedServiceChain } from '../../netfilter/proxyChains.ts';
import { nftServiceName } from '../../seen/names/nftServiceName.ts';

/** The Service port of a chain: by its name in nftables mode, otherwise that of the first comment of its rules that names one. */
export function serviceOfChain(name: string, services: () => string | undefined): string | undefined {
  return nftServiceName(name) ?? (isHashedServiceChain(name) ? services() : undefined);
}
