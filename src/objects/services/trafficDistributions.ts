import type { LintContext } from '../lintContext.ts';

/** KEP-4444: alpha and off in 1.30, on since 1.31. KEP-3015 adds two values: alpha and off in 1.33, on since 1.34. */
const versions = {
  PreferClose: { gateSince: 30, onSince: 31, gate: 'ServiceTrafficDistribution' },
  PreferSameZone: { gateSince: 33, onSince: 34, gate: 'PreferSameTrafficDistribution' },
  PreferSameNode: { gateSince: 33, onSince: 34, gate: 'PreferSameTrafficDistribution' },
} as const;

/**
 * Services that ask for close endpoints in a version without that feature, or whose endpoints do not show which are
 * close.
 */
export function trafficDistributions({ cluster, services, sources, complain }: LintContext): void {
  const { minor } = cluster.kubeVersion;
  for (const { manifest, service } of services.values()) {
    const asked = manifest.value.spec.trafficDistribution;
    if (!asked || !(asked in versions)) continue;
    const { gateSince, onSince, gate } = versions[asked as keyof typeof versions];
    const path = ['spec', 'trafficDistribution'];
    if (minor < onSince) {
      const state = minor < gateSince ? 'does not know that' : `takes that only with the feature gate ${gate}`;
      const message = `Service ${service.id} asks for ${asked}: Kubernetes 1.${minor} ${state}`;
      complain(manifest, { code: 'distribution-without-effect', path, message });
      continue;
    }
    const endpoints = (sources.slices().get(service.id) ?? []).flatMap(({ value }) => value.endpoints ?? []);
    const hasHints = endpoints.some(({ hints }) => hints != null);
    if (endpoints.length === 0 || hasHints || endpoints.every(({ zone }) => !zone)) continue;
    complain(manifest, {
      code: 'distribution-without-effect',
      severity: 'note',
      path,
      message: `Service ${service.id} asks for ${asked}, and no endpoint of its EndpointSlices has hints: all endpoints are used`,
      hint: 'the control plane writes hints; EndpointSlices that are written by hand need hints of their own',
    });
  }
}
