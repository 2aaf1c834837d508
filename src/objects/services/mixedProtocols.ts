import { mixedBalancer } from '../../dialect/gates/mixedBalancer.ts';
import type { LintContext } from '../lintContext.ts';

/** Services of type LoadBalancer whose ports have several protocols, where the version does not take them. */
export function mixedProtocols({ cluster, complain }: LintContext): void {
  const { minor } = cluster.kubeVersion;
  const taken = mixedBalancer(cluster.kubeVersion);
  if (taken === 'taken') return;
  for (const manifest of cluster.manifests.services) {
    const { type, ports } = manifest.value.spec;
    const protocols = [...new Set((ports ?? []).map(({ protocol }) => protocol || 'TCP'))];
    if (type !== 'LoadBalancer' || protocols.length < 2) continue;
    const state = taken === 'refused' ? 'refuses it' : 'takes it only with the feature gate MixedProtocolLBService';
    complain(manifest, {
      code: 'mixed-protocols',
      severity: taken === 'refused' ? 'error' : 'warning',
      path: ['spec', 'ports'],
      message: `a Service of type LoadBalancer has ports of ${protocols.join(' and ')}: Kubernetes 1.${minor} ${state}`,
      hint: 'make a Service of each protocol; some providers let them share one address',
    });
  }
}
