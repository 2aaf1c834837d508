import { isKubeName, isProxyChain, isProxyTable } from '../../netfilter/proxyChains.ts';
import { chainsIn } from '../../node/chains/chainsIn.ts';
import { chainPlace, type DumpPlace } from '../../node/lines/chainLines.ts';
import type { NodeRules } from '../../node/nodeRules.ts';
import { foreignOwner } from '../../node/programs/foreignPrograms.ts';
import { type ServicePlane, servicePlanes } from './servicePlanes.ts';

/**
 * A dump that would show kube-proxy's rules but has none: what is there instead, and where the rules may still be.
 * Undefined for every other dump, including fragments and cut dumps: what these do not show is unknown.
 */
export interface ProxyAbsence {
  /** Programs that serve Services instead of kube-proxy, by means that netfilter does not show. */
  readonly planes: readonly ServicePlane[];
  /** The kubelet's chains, by name. */
  readonly kubelet: readonly string[];
  /** Other programs whose chains are present, by name. */
  readonly programs: readonly string[];
  /** Tables of nft by family and name: `inet firewalld`. */
  readonly tables: readonly string[];
  /** Places that nobody looked at, where kube-proxy writes in another mode or back end. */
  readonly unseen: readonly UnseenPlace[];
  /** The first chain of what is there instead. */
  readonly place: readonly DumpPlace[];
}

/** `nft`: the tables of nftables mode. `legacy`, `nf_tables`: the other back end of iptables. */
export type UnseenPlace = 'nft' | 'legacy' | 'nf_tables';

export function proxyAbsence(node: NodeRules): ProxyAbsence | undefined {
  if (!wouldShow(node) || hasProxyRules(node)) return undefined;
  const chains = chainsIn(node.iptables);
  const names = new Set(chains.map(({ name }) => name));
  const kubelet = [...names].filter((name) => isKubeName(name) && foreignOwner(name) === undefined);
  // A container's own rules mean that the dump is not from a node (K8N106).
  if (kubelet.length === 0 && [...names].some((name) => name.startsWith('ISTIO_'))) return undefined;
  const planes = servicePlanes(node);
  const owners = [...names].flatMap((name) => foreignOwner(name) ?? []);
  const tables = node.nft.flatMap((rules) => [...rules.tables.keys()]);
  const telling = kubelet[0] ?? [...names].find((name) => foreignOwner(name) !== undefined);
  const chain = chains.find(({ name }) => name === telling);
  return {
    planes,
    kubelet: kubelet.sort(),
    programs: [...new Set(owners)].sort(),
    tables,
    unseen: unseenPlaces(node),
    place: planes[0]?.place ?? (chain === undefined ? [] : chainPlace(chain)),
  };
}

/**
 * Whether the kubelet or a program of the Pod network left traces: machines that are not nodes have no kube-proxy
 * either.
 */
export function isOfCluster({ kubelet, planes, programs }: ProxyAbsence): boolean {
  return kubelet.length + planes.length > 0 || programs.some((name) => clusterPrograms.has(name));
}

const clusterPrograms: ReadonlySet<string> = new Set([
  'kube-router',
  'flannel',
  'calico',
  'cilium',
  'weave',
  'aws-vpc-cni',
  'ip-masq-agent',
  'portmap',
  'cni',
  'kubenet',
  'ovn-kubernetes',
  'openshift-sdn',
  'antrea',
  'azure',
]);

/** Whole, uncut tables of a kind in which kube-proxy writes for some family. */
function wouldShow({ iptables, nft }: NodeRules): boolean {
  const nat = iptables.flatMap(({ tables }) => tables.get('nat') ?? []);
  const others = nft.flatMap(({ tables }) => [...tables.values()]);
  const all = [...nat, ...others];
  return all.length > 0 && all.every(({ isWhole }) => isWhole);
}

/** Chains of any mode and version, without those that the kubelet shares. */
function hasProxyRules({ iptables, nft, ipsets, addresses, chainsListedByNft }: NodeRules): boolean {
  const isOfProxy = (name: string) => isProxyChain(name) && !sharedWithKubelet.has(name);
  return (
    iptables.some(({ tables }) => [...tables.values()].some(({ chains }) => [...chains.keys()].some(isOfProxy))) ||
    nft.some(({ tables }) => [...tables.keys()].some(isProxyTable)) ||
    chainsListedByNft.some(({ name }) => isOfProxy(name)) ||
    ipsets.some(({ tables }) => [...tables.values()].some(({ chains }) => [...chains.keys()].some(isKubeName))) ||
    addresses.some(({ tables }) => [...tables.values()].some(({ chains }) => chains.size > 0))
  );
}

/** The kubelet made these too, through 1.27. */
const sharedWithKubelet: ReadonlySet<string> = new Set(['KUBE-MARK-MASQ', 'KUBE-POSTROUTING']);

/** What this dump leaves open: nft's own tables, and the other back end of iptables. */
function unseenPlaces({ iptables, nft, legacyWarnings }: NodeRules): readonly UnseenPlace[] {
  const backends = new Set(iptables.map(({ backend }) => backend));
  const isUnseen: Readonly<Record<UnseenPlace, boolean>> = {
    nft: nft.length === 0,
    legacy: !backends.has('legacy') || legacyWarnings.length > 0,
    nf_tables: iptables.length === 0 || (backends.has('legacy') && backends.size === 1),
  };
  return (Object.keys(isUnseen) as UnseenPlace[]).filter((place) => isUnseen[place]);
}
