import type { KubeVersion } from '../version.ts';

/**
 * Whether the API server takes Services of type LoadBalancer whose ports have several protocols. MixedProtocolLBService:
 * alpha and off in 1.20, on in 1.24, always since 1.26.
 */
export function mixedBalancer({ minor }: KubeVersion): 'refused' | 'gated' | 'taken' {
  if (minor >= 24) return 'taken';
  return minor < 20 ? 'refused' : 'gated';
}
