import { cidrContains } from '../../common/addresses/cidr.ts';
import { canonicalIp, familyOf, parseIp } from '../../common/addresses/ip.ts';
import { quote } from '../../validate/fields/quote.ts';
import type { LintContext, LintedService } from '../lintContext.ts';

/** Cluster IPs out of the range, a load balancer's address that was not given, external names that are addresses. */
export function serviceAddresses(context: LintContext): void {
  for (const linted of context.services.values()) {
    checkRange(context, linted);
    checkLoadBalancer(context, linted);
    checkExternalName(context, linted);
  }
}

/** Only for families whose range is given. */
function checkRange({ settings, complain }: LintContext, { service, manifest }: LintedService): void {
  if (service.kind !== 'clusterIP') return;
  const { clusterIPs, clusterIP } = manifest.value.spec;
  const given = clusterIPs && clusterIPs.length > 0 ? clusterIPs : clusterIP ? [clusterIP] : [];
  for (const [index, ip] of given.entries()) {
    const ranges = settings.serviceCIDRs.filter(({ family }) => family === familyOf(ip));
    if (ranges.length === 0 || ranges.some((range) => cidrContains(range, ip))) continue;
    complain(manifest, {
      code: 'cluster-ip-outside-range',
      path: clusterIPs && clusterIPs.length > 0 ? ['spec', 'clusterIPs', index] : ['spec', 'clusterIP'],
      message: `${ip} is not in the range of cluster IPs, ${ranges.map(({ text }) => text).join(', ')}: the API server refuses the Service`,
    });
  }
}

function checkLoadBalancer({ complain }: LintContext, { service, manifest }: LintedService): void {
  const { requestedIP, ingress } = service.loadBalancer;
  const given = ingress.map(({ ip }) => ip);
  if (service.type !== 'LoadBalancer' || requestedIP === '' || given.length === 0) return;
  if (given.includes(canonicalIp(requestedIP) ?? requestedIP)) return;
  complain(manifest, {
    code: 'load-balancer-ip-differs',
    path: ['spec', 'loadBalancerIP'],
    message: `${quote(requestedIP)} was requested, but ${given.join(', ')} was assigned: the rules are for the latter`,
    hint: 'the provider does not take spec.loadBalancerIP, or the address is not available',
  });
}

function checkExternalName({ complain }: LintContext, { service, manifest }: LintedService): void {
  if (service.kind !== 'externalName' || parseIp(service.externalName.replace(/\.$/, '')) === undefined) return;
  complain(manifest, {
    code: 'external-name-is-address',
    path: ['spec', 'externalName'],
    message: `${quote(service.externalName)} is an address: DNS takes it for a name of digits`,
    hint: 'use a headless Service without selector, with Endpoints of that address',
  });
}
