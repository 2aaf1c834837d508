import type { LintContext } from '../lintContext.ts';

/** SCTP was behind a feature gate that was off before 1.19, and went in 1.20. */
const sctpSince = 19;

/** SCTP ports that the version does not take. */
export function protocols({ cluster, complain }: LintContext): void {
  const { minor } = cluster.kubeVersion;
  if (minor >= sctpSince) return;
  const state = minor < 12 ? 'does not know SCTP' : 'takes SCTP only with the feature gate SCTPSupport';
  for (const manifest of cluster.manifests.services) {
    for (const [index, { protocol }] of (manifest.value.spec.ports ?? []).entries()) {
      if (protocol !== 'SCTP') continue;
      const path = ['spec', 'ports', index, 'protocol'];
      complain(manifest, { code: 'sctp-unsupported', path, message: `Kubernetes 1.${minor} ${state}` });
    }
  }
  for (const manifest of cluster.manifests.networkPolicies) {
    const { ingress, egress } = manifest.value.spec ?? {};
    for (const [direction, rules] of [
      ['ingress', ingress],
      ['egress', egress],
    ] as const) {
      for (const [index, rule] of (rules ?? []).entries()) {
        for (const [at, { protocol }] of (rule?.ports ?? []).entries()) {
          if (protocol !== 'SCTP') continue;
          const path = ['spec', direction, index, 'ports', at, 'protocol'];
          complain(manifest, { code: 'sctp-unsupported', path, message: `Kubernetes 1.${minor} ${state}` });
        }
      }
    }
  }
}
