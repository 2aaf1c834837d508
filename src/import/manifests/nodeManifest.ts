import { formatKubeVersion, type KubeVersion } from '../../dialect/version.ts';
import { type ImportedManifest, remarkBook } from './manifest.ts';
import { zones } from './sliceManifests.ts';

export interface ImportedNode {
  readonly name: string;
  /** The node's own IP first. */
  readonly addresses: readonly string[];
  /** Of these addresses, what was made up, and what the rules show of it. */
  readonly madeUp: ReadonlyMap<string, string>;
  /** Undefined: nothing tells. */
  readonly versions: readonly KubeVersion[] | undefined;
  /** Endpoints have hints for its zone. */
  readonly hasZone: boolean;
  readonly podCIDRs: readonly string[];
}

/** The Node that the dump is of: its name, its addresses, the version of its kube-proxy. */
export function nodeManifest({ name, addresses, madeUp, versions, hasZone, podCIDRs }: ImportedNode): ImportedManifest {
  const remarks = remarkBook();
  const labels = { 'topology.kubernetes.io/zone': zones.here };
  if (hasZone) remarks.add(labels, 'topology.kubernetes.io/zone', 'made up: the rules show that hints were used');
  const entries = addresses.map((address) => {
    const entry = { type: 'InternalIP', address };
    const why = madeUp.get(address);
    if (why !== undefined) remarks.add(entry, 'address', `made up: ${why}`);
    return entry;
  });
  const newest = versions?.at(-1);
  const nodeInfo = newest && { kubeProxyVersion: `v${formatKubeVersion(newest)}`, ...unknownInfo };
  if (nodeInfo !== undefined && versions !== undefined && versions.length > 1) {
    const oldest = formatKubeVersion(versions[0] as KubeVersion);
    remarks.add(
      nodeInfo,
      'kubeProxyVersion',
      `${oldest} to ${formatKubeVersion(newest as KubeVersion)} write such rules`,
    );
  }
  const status = { ...(entries.length > 0 && { addresses: entries }), ...(nodeInfo && { nodeInfo }) };
  if (entries.length === 0) remarks.add(status, 'addresses', 'no rule shows the IP of the node');
  const value = {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, ...(hasZone && { labels }) },
    ...(podCIDRs.length > 0 && { spec: { podCIDR: podCIDRs[0], podCIDRs } }),
    status,
  };
  return { value, remarks: remarks.all };
}

/** The API wants all of these where one is given; rules tell none of them. */
const unknownInfo = {
  architecture: '',
  bootID: '',
  containerRuntimeVersion: '',
  kernelVersion: '',
  kubeletVersion: '',
  machineID: '',
  operatingSystem: '',
  osImage: '',
  systemUUID: '',
} as const;
