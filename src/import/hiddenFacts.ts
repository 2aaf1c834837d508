import type { SeenService } from '../model/seenServices.ts';
import type { Tree } from './shownTree.ts';

/** Fields of a Service's spec that no table of kubectl shows, as the rules of a node have them. */
export function hiddenFacts(own: SeenService, { type }: Tree): Tree {
  const { affinitySeconds, externalPolicy, internalPolicy, healthCheckNodePort, sourceRanges } = own;
  const isLocal = externalPolicy === 'Local' || healthCheckNodePort > 0;
  return {
    ...(affinitySeconds !== undefined && {
      sessionAffinity: 'ClientIP',
      sessionAffinityConfig: { clientIP: { timeoutSeconds: affinitySeconds } },
    }),
    ...(isLocal && (type === 'NodePort' || type === 'LoadBalancer') && { externalTrafficPolicy: 'Local' }),
    ...(internalPolicy === 'Local' && { internalTrafficPolicy: 'Local' }),
    ...(type === 'LoadBalancer' && healthCheckNodePort > 0 && { healthCheckNodePort }),
    ...(type === 'LoadBalancer' && sourceRanges.length > 0 && { loadBalancerSourceRanges: sourceRanges }),
  };
}
