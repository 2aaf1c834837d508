import { familyOf } from '../../common/addresses/ip.ts';
import type { Report } from '../../diagnostics/diagnostic.ts';
import type { Cluster } from '../../model/cluster.ts';
import type { Manifest } from '../../validate/kinds/manifest.ts';
import type { DnsConfigObject, PodObject } from '../../validate/kinds/manifests.ts';
import { type ClusterDnsSettings, clusterDns } from './clusterDns.ts';
import { fitLimits, isWithinSearchLimits } from './dnsLimits.ts';
import { optionName, parseResolvConf, type ResolvConf } from './parseResolvConf.ts';

export interface PodDnsSettings {
  readonly clusterDomain: string;
  /** `none`: the kubelet has no --cluster-dns. */
  readonly clusterDns: ClusterDnsSettings | 'none';
  /** Text of the file that the kubelet's --resolv-conf names; empty: it names none; undefined: not known. */
  readonly nodeResolvConf: string | undefined;
}

/** What a Pod's resolv.conf says, by its dnsPolicy and dnsConfig; undefined: an error was reported. */
export function podDns(
  cluster: Cluster,
  pod: Manifest<PodObject>,
  settings: PodDnsSettings,
  report: Report,
): ResolvConf | undefined {
  const { metadata, spec } = pod.value;
  const base = baseOf(cluster, pod, settings, report);
  if (base === undefined) return undefined;
  const searches = spec?.dnsConfig?.searches ?? [];
  if (!isWithinSearchLimits(searches, cluster.kubeVersion)) {
    report({
      code: 'dns-config-invalid',
      severity: 'error',
      message: `Pod ${metadata.name} has more search names than Kubernetes 1.${cluster.kubeVersion.minor} takes`,
      at: [{ ...pod.origin, path: [...pod.origin.path, 'spec', 'dnsConfig', 'searches'] }],
      hint: 'the limit is 6 names and 256 characters before 1.26, 32 and 2048 from then on',
    });
    return undefined;
  }
  const merged = spec?.dnsConfig == null ? base : merge(base, spec.dnsConfig);
  return fitLimits(merged, cluster.kubeVersion, pod.origin, report);
}

/** What a Pod without any setting of its own gets in a namespace. */
export function clusterSearches(namespace: string, clusterDomain: string): readonly string[] {
  return [`${namespace}.svc.${clusterDomain}`, `svc.${clusterDomain}`, clusterDomain];
}

const empty: ResolvConf = { nameservers: [], searches: [], options: [] };

function baseOf(
  cluster: Cluster,
  pod: Manifest<PodObject>,
  settings: PodDnsSettings,
  report: Report,
): ResolvConf | undefined {
  const { metadata, spec } = pod.value;
  const policy = spec?.dnsPolicy || 'ClusterFirst';
  if (policy === 'None') return empty;
  if (policy === 'Default' || isLeftToNode(pod, policy, settings, report))
    return ofNode(cluster, pod, settings, report);
  const { addresses } = clusterDns(cluster, settings.clusterDns as ClusterDnsSettings, report);
  const node = settings.nodeResolvConf === undefined ? empty : parseResolvConf(settings.nodeResolvConf);
  const searches = clusterSearches(metadata.namespace || 'default', settings.clusterDomain);
  return { nameservers: addresses, searches: [...new Set([...searches, ...node.searches])], options: ['ndots:5'] };
}

function isLeftToNode(
  { value, origin }: Manifest<PodObject>,
  policy: string,
  settings: PodDnsSettings,
  report: Report,
): boolean {
  if (value.spec?.hostNetwork && policy === 'ClusterFirst') {
    report({
      code: 'host-network-cluster-first',
      severity: 'warning',
      message: `Pod ${value.metadata.name} shares its node's network, so ClusterFirst means Default for it: it asks the node's servers and finds no Services`,
      at: [{ ...origin, path: [...origin.path, 'spec', 'hostNetwork'] }],
      hint: 'set dnsPolicy: ClusterFirstWithHostNet',
    });
    return true;
  }
  if (settings.clusterDns !== 'none') return false;
  report({
    code: 'missing-cluster-dns',
    severity: 'warning',
    message: `the kubelet knows no DNS server of the cluster, so ${policy} means Default for Pod ${value.metadata.name}`,
    at: [origin],
    hint: 'start the kubelet with --cluster-dns, or set clusterDNS in its configuration',
  });
  return true;
}

function ofNode(
  cluster: Cluster,
  { value, origin }: Manifest<PodObject>,
  settings: PodDnsSettings,
  report: Report,
): ResolvConf | undefined {
  if (settings.nodeResolvConf) return parseResolvConf(settings.nodeResolvConf);
  if (settings.nodeResolvConf === '') {
    return { nameservers: loopbacks(cluster, value.spec?.nodeName ?? ''), searches: ['.'], options: [] };
  }
  report({
    code: 'node-resolv-conf-needed',
    severity: 'error',
    message: `Pod ${value.metadata.name} gets the servers and names of its node, which are not known`,
    at: [origin],
    hint: "give the node's /etc/resolv.conf with --node-resolv-conf FILE",
  });
  return undefined;
}

/** A kubelet with an empty --resolv-conf sends Pods to a server on the node itself, in each family the node has. */
function loopbacks(cluster: Cluster, nodeName: string): readonly string[] {
  const node = cluster.manifests.nodes.find(({ value }) => value.metadata.name === nodeName);
  const families = (node?.value.status?.addresses ?? [])
    .filter(({ type }) => type === 'InternalIP')
    .map(({ address }) => familyOf(address))
    .filter((family) => family !== undefined);
  const servers = families.map((family) => (family === 'ipv6' ? '::1' : '127.0.0.1'));
  return servers.length > 0 ? [...new Set(servers)] : ['127.0.0.1'];
}

/** dnsConfig is appended, and then what occurs twice goes; an option replaces the one of its name in place. */
function merge(base: ResolvConf, config: DnsConfigObject): ResolvConf {
  const options = new Map(base.options.map((option) => [optionName(option), option]));
  for (const { name, value } of config.options ?? [])
    options.set(name ?? '', value ? `${name}:${value}` : (name ?? ''));
  return {
    nameservers: [...new Set([...base.nameservers, ...(config.nameservers ?? [])])],
    searches: [...new Set([...base.searches, ...(config.searches ?? [])])],
    options: [...options.values()],
  };
}
