import { cidrAddress } from '../common/addresses/cidr.ts';
import type { Family } from '../common/addresses/family.ts';
import { canonicalIp, familyOf, isLoopbackIp } from '../common/addresses/ip.ts';
import { didYouMean } from '../common/text/didYouMean.ts';
import type { Report } from '../diagnostics/diagnostic.ts';
import type { NodeFacts } from '../model/nodeFacts.ts';
import type { Manifest } from '../validate/kinds/manifest.ts';
import type { NodeObject } from '../validate/kinds/manifests.ts';
import { podCIDRs } from './podCIDRs.ts';
import type { TargetOptions } from './targetOptions.ts';

/** What a KubeProxyConfiguration says about the node. */
export interface NodeConfig {
  readonly hostnameOverride: string;
  readonly bindAddress: string;
}

const loopback: Readonly<Record<Family, string>> = { ipv4: '127.0.0.1', ipv6: '::1' };
const unspecified: readonly string[] = ['0.0.0.0', '::'];

/**
 * Finds the node that rules are for and the facts about it. The name: flag, hostnameOverride, the only Node given, or
 * `node`. Its IPs: flag, bindAddress, the Node's InternalIPs, then ExternalIPs: the first, and the first of the other
 * family, as kube-proxy 1.30 picks them.
 */
export function resolveNode(
  nodes: readonly Manifest<NodeObject>[],
  options: TargetOptions,
  config: NodeConfig,
  report: Report,
): NodeFacts {
  const asked = options.node ?? (config.hostnameOverride === '' ? undefined : config.hostnameOverride);
  const given = asked ?? (nodes.length === 1 ? nodes[0]?.value.metadata.name : undefined);
  const name = (given ?? 'node').trim().toLowerCase();
  const node = nodes.find((candidate) => candidate.value.metadata.name.toLowerCase() === name);
  reportChoice(nodes, node, name, options.node ? 'flag' : asked ? 'config' : 'nothing', report);

  const ips = nodeIPs(node?.value, options, config);
  const first = ips[0];
  const primaryFamily: Family =
    (first === undefined ? undefined : familyOf(first)) ?? (options.family === 'ipv6' ? 'ipv6' : 'ipv4');
  const ip: Record<Family, string> = { ...loopback };
  for (const address of [...ips].reverse()) {
    const family = familyOf(address);
    if (family) ip[family] = address;
  }
  const further = (options.nodeAddresses ?? []).map((text) => cidrAddress(text) ?? canonicalIp(text) ?? '');
  // kube-proxy's bind address does not remove an address from the node's interfaces.
  const own = options.nodeIPs?.length ? [] : addressesOf(node?.value, 'InternalIP');
  const addresses = [loopback.ipv4, loopback.ipv6, ip.ipv4, ip.ipv6, ...own, ...further].filter(
    (address) => address !== '',
  );
  return {
    name,
    ...(given === undefined && { isNameless: true }),
    ip,
    primaryFamily,
    addresses: [...new Set(addresses)],
    namedLoopback: further.filter(isLoopbackIp),
    version: versionOf(node?.value),
    podCIDRs: podCIDRs(node?.value),
    zone: node?.value.metadata.labels?.['topology.kubernetes.io/zone'] ?? '',
  };
}

/** Newer kubelets leave kube-proxy's version out; it is usually that of the kubelet. */
function versionOf(node: NodeObject | undefined): string {
  const info = node?.status?.nodeInfo;
  return info?.kubeProxyVersion || info?.kubeletVersion || '';
}

function nodeIPs(node: NodeObject | undefined, options: TargetOptions, config: NodeConfig): readonly string[] {
  if (options.nodeIPs && options.nodeIPs.length > 0) return canonical(options.nodeIPs);
  const known = [...addressesOf(node, 'InternalIP'), ...addressesOf(node, 'ExternalIP')];
  const bound = canonicalIp(config.bindAddress);
  if (bound === undefined || unspecified.includes(bound)) return known;
  return [bound, ...known.filter((address) => familyOf(address) !== familyOf(bound))];
}

function addressesOf(node: NodeObject | undefined, type: 'InternalIP' | 'ExternalIP'): readonly string[] {
  const given = (node?.status?.addresses ?? []).filter((address) => address.type === type);
  return canonical(given.map(({ address }) => address));
}

function canonical(addresses: readonly string[]): readonly string[] {
  return addresses.map((address) => canonicalIp(address.trim())).filter((address) => address !== undefined);
}

function reportChoice(
  nodes: readonly Manifest<NodeObject>[],
  node: Manifest<NodeObject> | undefined,
  name: string,
  asked: Asked,
  report: Report,
): void {
  if (node !== undefined || nodes.length === 0) return;
  const names = nodes.map((candidate) => candidate.value.metadata.name);
  const list = `${names.slice(0, 5).join(', ')}${names.length > 5 ? ', …' : ''}`;
  if (asked === 'nothing') {
    report({
      code: 'node-not-chosen',
      severity: 'warning',
      message: `${nodes.length} Nodes are given and none is chosen: rules are for a node named "${name}" that has no endpoints`,
      at: [],
      hint: `choose one with --node: ${list}`,
    });
    return;
  }
  const meant = didYouMean(name, names);
  report({
    code: 'node-unknown',
    // A configuration may come from another cluster's node; a node from the command line must exist.
    severity: asked === 'flag' ? 'error' : 'warning',
    message: `Node ${JSON.stringify(name)} not found in the input: its addresses, zone and Pod ranges are unknown`,
    at: [],
    hint: meant === undefined ? `Nodes given: ${list}` : `did you mean ${meant}? Nodes given: ${list}`,
  });
}

/** What named the node. */
type Asked = 'flag' | 'config' | 'nothing';
