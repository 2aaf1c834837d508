import type { LintContext } from '../lintContext.ts';

/** CustomPodDNS: alpha and off in 1.9, on in 1.10, always since 1.14; before 1.9 the fields do not exist. */
const gateSince = 9;
const onSince = 10;

/** Pods that set their own DNS in a version that does not take that. */
export function podDnsVersions({ cluster, podSpecs, complain }: LintContext): void {
  const { minor } = cluster.kubeVersion;
  if (minor >= onSince) return;
  const state = minor < gateSince ? 'does not know that' : 'takes that only with the feature gate CustomPodDNS';
  for (const { spec, manifest, path, title } of podSpecs) {
    const field = spec.dnsConfig ? 'dnsConfig' : spec.dnsPolicy === 'None' ? 'dnsPolicy' : undefined;
    if (field === undefined) continue;
    const message = `${title} sets ${field === 'dnsConfig' ? 'dnsConfig' : 'dnsPolicy: None'}: Kubernetes 1.${minor} ${state}`;
    complain(manifest, { code: 'dns-config-unsupported', path: [...path, field], message });
  }
}
