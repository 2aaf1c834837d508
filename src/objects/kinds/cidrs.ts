import { cidrAddress, parseCidr } from '../../common/addresses/cidr.ts';
import type { JsonPath } from '../../diagnostics/diagnostic.ts';
import type { Manifest } from '../../validate/kinds/manifest.ts';
import type { LintContext } from '../lintContext.ts';

/** Networks that are written with an address inside them: who reads them may take the address for what is meant. */
export function cidrs(context: LintContext): void {
  const { networkPolicies, clusterPolicies, services, nodes } = context.cluster.manifests;
  for (const manifest of networkPolicies) {
    const { ingress, egress } = manifest.value.spec ?? {};
    for (const [index, rule] of (ingress ?? []).entries())
      checkPeers(context, manifest, rule?.from, ['spec', 'ingress', index, 'from']);
    for (const [index, rule] of (egress ?? []).entries())
      checkPeers(context, manifest, rule?.to, ['spec', 'egress', index, 'to']);
  }
  for (const manifest of clusterPolicies) {
    for (const [index, { to }] of (manifest.value.spec.egress ?? []).entries()) {
      for (const [at, { networks = [] }] of to.entries()) {
        for (const [place, text] of networks.entries())
          check(context, manifest, text, ['spec', 'egress', index, 'to', at, 'networks', place], refusedSince);
      }
    }
  }
  for (const manifest of services) {
    for (const [index, text] of (manifest.value.spec.loadBalancerSourceRanges ?? []).entries()) {
      check(context, manifest, text.trim(), ['spec', 'loadBalancerSourceRanges', index]);
    }
  }
  for (const manifest of nodes) {
    const { podCIDR, podCIDRs } = manifest.value.spec ?? {};
    if (podCIDRs?.length)
      for (const [index, text] of podCIDRs.entries()) check(context, manifest, text, ['spec', 'podCIDRs', index]);
    else if (podCIDR) check(context, manifest, podCIDR, ['spec', 'podCIDR']);
  }
}

type Peers = readonly {
  readonly ipBlock?:
    | { readonly cidr: string; readonly except?: readonly string[] | null | undefined }
    | null
    | undefined;
}[];

function checkPeers(
  context: LintContext,
  manifest: Manifest<unknown>,
  peers: Peers | null | undefined,
  path: JsonPath,
): void {
  for (const [at, { ipBlock }] of (peers ?? []).entries()) {
    if (!ipBlock) continue;
    check(context, manifest, ipBlock.cidr, [...path, at, 'ipBlock', 'cidr']);
    for (const [index, text] of (ipBlock.except ?? []).entries())
      check(context, manifest, text, [...path, at, 'ipBlock', 'except', index]);
  }
}

/** The rule came into the CRD of ClusterNetworkPolicy with 0.3.0; those of 0.2.0 and v1alpha1 have none. */
const refusedSince = 'the CRDs of 0.3.0 and newer refuse it; ';

function check(
  { complain }: LintContext,
  manifest: Manifest<unknown>,
  text: string,
  path: JsonPath,
  further = '',
): void {
  const cidr = parseCidr(text);
  const address = cidrAddress(text);
  if (cidr === undefined || address === undefined || cidr.text === `${address}/${cidr.length}`) return;
  complain(manifest, {
    code: 'cidr-host-bits',
    path,
    message: `${text} has an address inside its network, which is ${cidr.text}: the rest is ignored`,
    hint: `${further}write ${cidr.text}, or ${address}/${cidr.family === 'ipv4' ? 32 : 128} for the one address`,
  });
}
