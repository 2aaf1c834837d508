import type { LintContext } from '../lintContext.ts';

/** MixedProtocolLBService: alpha and off in 1.20, on in 1.24, always since 1.26; before 1.20 the API server refuses such a Service. */
const gateSince = 20;
const onSince = 24;

/** Services of type LoadBalancer whose ports have several protocols, where the version does not take them. */
export function mixedProtocols({ cluster, complain }: LintContext): void {
  const { minor } = cluster.kubeVersion;
  if (minor >= onSince) return;
  for (const manifest of cluster.manifests.services) {
    const { type, ports } = manifest.value.spec;
    const protocols = [...new Set((ports ?? []).map(({ protocol }) => protocol || 'TCP'))];
    if (type !== 'LoadBalancer' || protocols.length < 2) continue;
    const state = minor < gateSince ? 'refuses it' : 'takes it only with the feature gate MixedProtocolLBService';
    complain(manifest, {
      code: 'mixed-protocols',
      severity: minor < gateSince ? 'error' : 'warning',
      path: ['spec', 'ports'],
      message: `a Service of type LoadBalancer has ports of ${protocols.join(' and ')}: Kubernetes 1.${minor} ${state}`,
      hint: 'make a Service of each protocol; some providers let them share one address',
    });
  }
}
