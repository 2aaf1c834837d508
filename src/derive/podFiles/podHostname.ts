import type { Report } from '../../diagnostics/diagnostic.ts';
import type { Manifest } from '../../validate/kinds/manifest.ts';
import type { PodObject } from '../../validate/kinds/manifests.ts';

/** What a Pod calls itself. */
export interface PodHostname {
  readonly hostname: string;
  /** `subdomain.namespace.svc.cluster.local`; empty: none. */
  readonly domain: string;
}

/** A host name of more characters is cut, as the kubelet does. */
const longestHostname = 63;

export function podHostname(
  { value, origin }: Manifest<PodObject>,
  clusterDomain: string,
  report: Report,
): PodHostname {
  const { metadata, spec } = value;
  // A Pod that has the field is of a cluster that knows it (1.34), whatever version was asked for.
  if (spec?.hostnameOverride) return { hostname: spec.hostnameOverride, domain: '' };
  const wanted = spec?.hostname || metadata.name;
  const hostname = wanted.length <= longestHostname ? wanted : wanted.slice(0, longestHostname).replace(/[-.]+$/, '');
  if (hostname !== wanted) {
    report({
      code: 'hostname-truncated',
      severity: 'warning',
      message: `the host name ${wanted} is longer than ${longestHostname} characters and is cut to ${hostname}`,
      at: [{ ...origin, path: [...origin.path, ...(spec?.hostname ? ['spec', 'hostname'] : ['metadata', 'name'])] }],
    });
  }
  const namespace = metadata.namespace || 'default';
  return { hostname, domain: spec?.subdomain ? `${spec.subdomain}.${namespace}.svc.${clusterDomain}` : '' };
}
