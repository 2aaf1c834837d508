import type { Report } from '../../diagnostics/diagnostic.ts';
import type { Cluster } from '../../model/cluster.ts';
import type { Manifest } from '../../validate/kinds/manifest.ts';
import type { PodObject } from '../../validate/kinds/manifests.ts';
import { findPod } from '../findPod.ts';
import { podHostname } from './podHostname.ts';

export interface HostsSettings {
  readonly clusterDomain: string;
  /** The node's own file; undefined: not given. */
  readonly nodeHosts: string | undefined;
}

/** The text of a Pod's /etc/hosts, as the kubelet manages it; undefined: an error was reported. */
export function hostsFile(
  cluster: Cluster,
  wanted: { readonly namespace: string; readonly name: string },
  settings: HostsSettings,
  report: Report,
): string | undefined {
  const pod = findPod(cluster, wanted, report);
  if (pod === undefined) return undefined;
  reportOwnMounts(pod, report);
  const body = pod.value.spec?.hostNetwork
    ? fileOfNode(pod, settings.nodeHosts, report)
    : managedFile(pod, settings.clusterDomain, report);
  return body === undefined ? undefined : endLine(body + aliases(pod.value));
}

function fileOfNode(
  { value, origin }: Manifest<PodObject>,
  nodeHosts: string | undefined,
  report: Report,
): string | undefined {
  if (nodeHosts !== undefined) return `# Kubernetes-managed hosts file (host network).\n${nodeHosts}`;
  report({
    code: 'node-hosts-needed',
    severity: 'error',
    message: `Pod ${value.metadata.name} shares its node's network and gets the node's hosts file`,
    at: [{ ...origin, path: [...origin.path, 'spec', 'hostNetwork'] }],
    hint: "give the node's /etc/hosts with --node-hosts FILE",
  });
  return undefined;
}

const head = `# Kubernetes-managed hosts file.
127.0.0.1\tlocalhost
::1\tlocalhost ip6-localhost ip6-loopback
fe00::0\tip6-localnet
fe00::0\tip6-mcastprefix
fe00::1\tip6-allnodes
fe00::2\tip6-allrouters
`;

function managedFile(pod: Manifest<PodObject>, clusterDomain: string, report: Report): string | undefined {
  const { metadata, status } = pod.value;
  const { hostname, domain } = podHostname(pod, clusterDomain, report);
  const fullName = domain === '' ? hostname : `${hostname}.${domain}`;
  if (!isFullNameAccepted(pod, domain === '' ? '' : fullName, report)) return undefined;
  const ips = status?.podIPs?.length ? status.podIPs.map(({ ip }) => ip) : status?.podIP ? [status.podIP] : [];
  if (ips.length === 0) {
    report({
      code: 'pod-without-address',
      severity: 'error',
      message: `Pod ${metadata.name} has no address yet, so the kubelet writes no hosts file`,
      at: [{ ...pod.origin, path: [...pod.origin.path, 'status', 'podIP'] }],
      hint: 'read the Pod from the cluster once it runs: kubectl get pod -o yaml',
    });
    return undefined;
  }
  const names = domain === '' ? hostname : `${fullName}\t${hostname}`;
  return `${head}${ips.map((ip) => `${ip}\t${names}\n`).join('')}`;
}

/** Linux takes host names of at most 64 characters, and the kubelet starts no Pod whose full name is longer. */
const longestKernelName = 64;

function isFullNameAccepted({ value, origin }: Manifest<PodObject>, fullName: string, report: Report): boolean {
  if (!value.spec?.setHostnameAsFQDN || fullName.length <= longestKernelName) return true;
  report({
    code: 'fqdn-too-long',
    severity: 'error',
    message: `the full name of Pod ${value.metadata.name} has ${fullName.length} characters and setHostnameAsFQDN allows ${longestKernelName}, so the Pod does not start: ${fullName}`,
    at: [{ ...origin, path: [...origin.path, 'spec', 'setHostnameAsFQDN'] }],
  });
  return false;
}

function aliases({ spec }: PodObject): string {
  const lines = (spec?.hostAliases ?? []).map(({ ip, hostnames }) => `${ip}\t${(hostnames ?? []).join('\t')}\n`);
  return lines.length === 0 ? '' : `\n# Entries added by HostAliases.\n${lines.join('')}`;
}

function reportOwnMounts({ value, origin }: Manifest<PodObject>, report: Report): void {
  for (const list of ['containers', 'initContainers'] as const) {
    for (const [index, { name, volumeMounts }] of (value.spec?.[list] ?? []).entries()) {
      const at = (volumeMounts ?? []).findIndex(({ mountPath }) => mountPath === '/etc/hosts');
      if (at < 0) continue;
      report({
        code: 'own-hosts-mount',
        severity: 'warning',
        message: `container ${name ?? index} mounts its own /etc/hosts and does not get this file`,
        at: [{ ...origin, path: [...origin.path, 'spec', list, index, 'volumeMounts', at, 'mountPath'] }],
      });
    }
  }
}

function endLine(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}
