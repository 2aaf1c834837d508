import { type Cidr, cidrContains, parseCidr } from '../../common/addresses/cidr.ts';
import { canonicalIp, parseIp } from '../../common/addresses/ip.ts';
import { originIn } from '../../diagnostics/originIn.ts';
import type { Complain } from '../fields/complain.ts';
import { nameOf } from '../fields/describe.ts';
import { isFinished } from '../isFinished.ts';
import type { Manifest } from '../kinds/manifest.ts';
import type { Manifests, NodeObject, PodObject } from '../kinds/manifests.ts';

/** Live pods with a network of their own: each has its own address, out of its node's pod network. */
export function podAddresses(manifests: Manifests, complain: Complain): void {
  const owners = new Map<string, Manifest<PodObject>>();
  const networks = podNetworks(manifests.nodes);
  const strays = new Map<string, { readonly pod: Manifest<PodObject>; count: number }>();
  for (const pod of manifests.pods) {
    const { spec } = pod.value;
    if (spec?.hostNetwork || isFinished(pod.value)) continue;
    for (const ip of addressesOf(pod.value)) {
      const owner = owners.get(ip);
      if (owner === undefined) owners.set(ip, pod);
      else if (owner !== pod) complainAboutDouble(pod, owner, ip, complain);
    }
    const node = spec?.nodeName ?? '';
    if (!isOutside(pod.value, networks.get(node))) continue;
    const stray = strays.get(node);
    if (stray === undefined) strays.set(node, { pod, count: 1 });
    else stray.count += 1;
  }
  for (const [node, { pod, count }] of strays) {
    complain(pod, {
      code: 'pod-outside-node-range',
      path: ['status', 'podIP'],
      message: `is outside the pod networks of node ${node}${count === 1 ? '' : `, as are ${count - 1} more of its pods`}`,
    });
  }
}

function addressesOf({ status }: PodObject): ReadonlySet<string> {
  const texts = [status?.podIP, ...(status?.podIPs ?? []).map(({ ip }) => ip)];
  return new Set(texts.map((text) => (text ? canonicalIp(text) : undefined)).filter((ip) => ip !== undefined));
}

function podNetworks(nodes: readonly Manifest<NodeObject>[]): ReadonlyMap<string, readonly Cidr[]> {
  return new Map(
    nodes.map(({ value: { metadata, spec } }) => {
      const texts = [spec?.podCIDR, ...(spec?.podCIDRs ?? [])];
      const networks = texts.map((text) => (text ? parseCidr(text) : undefined)).filter((cidr) => cidr !== undefined);
      return [metadata.name, networks];
    }),
  );
}

function isOutside(pod: PodObject, networks: readonly Cidr[] | undefined): boolean {
  const ip = pod.status?.podIP ? parseIp(pod.status.podIP) : undefined;
  const sameFamily = networks?.filter((network) => network.family === ip?.family) ?? [];
  return ip !== undefined && sameFamily.length > 0 && !sameFamily.some((network) => cidrContains(network, ip));
}

function complainAboutDouble(
  pod: Manifest<PodObject>,
  owner: Manifest<PodObject>,
  ip: string,
  complain: Complain,
): void {
  complain(pod, {
    code: 'duplicate-pod-ip',
    path: ['status', 'podIP'],
    message: `${nameOf(pod.value.metadata)} has the address of ${nameOf(owner.value.metadata)}: ${ip}`,
    also: [originIn(owner.origin, ['status', 'podIP'])],
  });
}
