import { parseIp } from '../../common/addresses/ip.ts';
import { checkNetwork } from '../fields/addresses.ts';
import type { Complain } from '../fields/complain.ts';
import { quote } from '../fields/quote.ts';
import type { Manifest } from '../kinds/manifest.ts';
import type { Manifests, NodeObject } from '../kinds/manifests.ts';

/** Nodes: pod networks, at most one of each family; addresses that are said to be IPs. */
export function nodes(manifests: Manifests, complain: Complain): void {
  for (const node of manifests.nodes) {
    checkPodNetworks(node, complain);
    for (const [index, { type, address }] of (node.value.status?.addresses ?? []).entries()) {
      if ((type !== 'InternalIP' && type !== 'ExternalIP') || parseIp(address) !== undefined) continue;
      complain(node, {
        code: 'bad-address',
        severity: 'warning',
        path: ['status', 'addresses', index, 'address'],
        message: `${quote(address)} is not an IP address: the ${type} is left out`,
      });
    }
  }
}

function checkPodNetworks(node: Manifest<NodeObject>, complain: Complain): void {
  const { podCIDR, podCIDRs } = node.value.spec ?? {};
  const several = podCIDRs ?? [];
  if (podCIDR) checkNetwork(node, ['spec', 'podCIDR'], podCIDR, complain);
  const networks = several.map((text, index) =>
    text === podCIDR ? undefined : checkNetwork(node, ['spec', 'podCIDRs', index], text, complain),
  );
  if (podCIDR && several.length > 0 && several[0] !== podCIDR) {
    const message = `the first value must be that of podCIDR, ${quote(podCIDR)}`;
    complain(node, { code: 'fields-disagree', path: ['spec', 'podCIDRs'], message });
  }
  const families = several.map((text, index) => networks[index]?.family ?? (text.includes(':') ? 'ipv6' : 'ipv4'));
  if (new Set(families).size < families.length) {
    const message = 'has several networks of one IP family, at most one of each is allowed';
    complain(node, { code: 'fields-disagree', path: ['spec', 'podCIDRs'], message });
  }
}
