import { serviceChainKind } from './proxyChains.ts';

/**
 * Whether a rule of kube-proxy stops packets for lack of an endpoint: `local`, if a traffic policy Local finds none on this
 * node, or `any`. `isDropped`: this rule drops the packet, and leads nowhere else.
 */
export function lackOfEndpoint(chain: string, comment: string, isDropped: boolean): 'local' | 'any' | undefined {
  const kind = serviceChainKind(chain);
  const isLocal = /has no local endpoints/.test(comment) || kind === 'localExternal' || kind === 'localBalance';
  const isAny = /has no endpoints/.test(comment) || /^reject-chain$|endpoints-check$/.test(chain);
  if (!isLocal && !isAny) return undefined;
  return isLocal || isDropped ? 'local' : 'any';
}
