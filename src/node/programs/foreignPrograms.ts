/** A program other than kube-proxy that writes rules, and how to recognize its chains. */
export interface ForeignProgram {
  readonly name: string;
  readonly chains: RegExp;
}

/** Which program a chain belongs to; undefined: kube-proxy, or an unknown one. */
export function foreignOwner(chain: string): string | undefined {
  return foreignPrograms.find(({ chains }) => chains.test(chain))?.name;
}

/** Which program an nftables table belongs to, by the table's name. */
export function tableOwner(table: string): string | undefined {
  return tableOwners.find(([names]) => names.test(table))?.[1];
}

/** The chain belongs to a network plug-in and lets packets of Pods pass. */
export function isPluginChain(chain: string): boolean {
  return networkPlugins.has(foreignOwner(chain) ?? '');
}

/** A network plug-in made the interface: packets to Pods of other nodes leave by it. */
export function isPluginInterface(name: string): boolean {
  return /^(?:cilium|lxc|cali|tunl|vxlan|flannel|weave|vethwe|kube-bridge|ovn|genev|antrea|wg|wireguard)/.test(name);
}

/**
 * The interface has nothing to do with Pods: it is the node's own, or belongs to containers or machines outside the
 * cluster.
 */
export function isContainerInterface({ text }: { readonly text: string }): boolean {
  return text === 'lo' || /^(?:docker|br-|virbr)/.test(text);
}

const networkPlugins: ReadonlySet<string> = new Set([
  'flannel',
  'calico',
  'cilium',
  'weave',
  'kube-router',
  'cni',
  'antrea',
  'ovn-kubernetes',
]);

const foreignPrograms: readonly ForeignProgram[] = [
  { name: 'kube-router', chains: /^KUBE-(?:ROUTER-|POD-FW-|NWPLCY-)/ },
  { name: 'flannel', chains: /^FLANNEL-/ },
  { name: 'calico', chains: /^(?:cali-|califw-|felix-)/ },
  { name: 'cilium', chains: /^(?:OLD_)?CILIUM_/ },
  { name: 'weave', chains: /^WEAVE(?:-|$)/ },
  { name: 'aws-vpc-cni', chains: /^AWS-(?:SNAT|CONNMARK)-CHAIN-/ },
  { name: 'ip-masq-agent', chains: /^IP-MASQ(?:-AGENT)?$/ },
  { name: 'portmap', chains: /^CNI-(?:HOSTPORT-(?:DNAT|SETMARK|MASQ)|DN-|SN-|[0-9a-f]{24})/ },
  { name: 'cni', chains: /^CNI-(?:FORWARD|ADMIN|ISOLATION)/ },
  { name: 'kubenet', chains: /^KUBE-(?:HOSTPORTS$|HP-)/ },
  { name: 'docker', chains: /^DOCKER(?:-|$)/ },
  { name: 'podman', chains: /^(?:NETAVARK|nv_)/ },
  { name: 'mesh', chains: /^(?:ISTIO_|PROXY_INIT_)/ },
  {
    name: 'firewalld',
    chains:
      /^(?:IN|FWD|FWDI|FWDO|PRE|POST)_|_(?:ZONES|direct)$|^FORWARD_(?:IN|OUT)_ZONES|^(?:INPUT|FORWARD|OUTPUT|PREROUTING|POSTROUTING)_/,
  },
  { name: 'ufw', chains: /^ufw6?-/ },
  { name: 'libvirt', chains: /^LIBVIRT_/ },
  { name: 'tailscale', chains: /^ts-/ },
  { name: 'fail2ban', chains: /^f2b-/ },
  { name: 'ovn-kubernetes', chains: /^OVN-KUBE-/ },
  { name: 'openshift-sdn', chains: /^OPENSHIFT-/ },
  { name: 'antrea', chains: /^ANTREA-/ },
  { name: 'azure', chains: /^AZURE-NPM/ },
];

const tableOwners: readonly (readonly [names: RegExp, program: string])[] = [
  [/^firewalld(?:_|$)/, 'firewalld'],
  [/^f2b-table/, 'fail2ban'],
  [/^libvirt_/, 'libvirt'],
  [/^docker(?:-|$)/, 'docker'],
  [/^netavark/, 'podman'],
  [/^calico/, 'calico'],
  [/^cilium/, 'cilium'],
  [/^antrea/, 'antrea'],
  [/^kube-router/, 'kube-router'],
];
