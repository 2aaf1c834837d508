import type { Family } from '../../common/addresses/family.ts';
import { canonicalIp } from '../../common/addresses/ip.ts';
import { type Protocol, protocolsByWord } from '../../common/addresses/protocol.ts';
import { addTo } from '../../common/addTo.ts';
import { ipvsSets, type SetKey } from '../../dialect/ipvs/ipvsSets.ts';
import { ipv6SetName } from '../../netfilter/ipset/proxySets.ts';
import type { VirtualService } from '../../netfilter/ipvs/ast.ts';
import { ipvsDevice } from '../../netfilter/ipvs/ipvsDevice.ts';
import { isKubeName } from '../../netfilter/proxyChains.ts';
import type { NodeRules, ToolRules } from '../../node/nodeRules.ts';

/** What the sets and virtual servers of IPVS mode show in one family. */
export interface IpvsFacts {
  readonly family: Family;
  /** Sets were given, so the kinds of addresses are known. */
  readonly hasSets: boolean;
  readonly hasServers: boolean;
  readonly members: (set: SetKey) => readonly IpvsMember[];
  /** The members of a set of addresses and ports. */
  readonly at: (set: SetKey, address: IpvsAddress) => readonly IpvsMember[];
  readonly server: (address: IpvsAddress) => VirtualService | undefined;
  readonly servers: readonly { readonly address: IpvsAddress; readonly service: VirtualService }[];
  /** Addresses of kube-ipvs0; undefined: not given. */
  readonly bound: ReadonlySet<string> | undefined;
}

export interface IpvsAddress {
  readonly ip: string;
  readonly protocol: Protocol;
  readonly port: number;
}

/** `10.96.0.1,tcp:80`; some sets have a third part; sets of ports have no address. */
export interface IpvsMember extends IpvsAddress {
  /** Empty: the set has no third part. */
  readonly third: string;
}

export function ipvsFacts({ ipsets, ipvs, addresses }: NodeRules, family: Family): IpvsFacts {
  const sets = ipsets.filter((rules) => rules.family === family);
  const members = new Map<string, readonly IpvsMember[]>();
  for (const rules of sets) for (const [name, own] of membersOf(rules)) members.set(name, own);
  const membersOfSet = (set: SetKey) => namesOf(set).flatMap((name) => members.get(name) ?? []);
  const servers = ipvs.filter((rules) => rules.family === family).flatMap(serversOf);
  if (family === 'ipv6' && members.has('KUBE-CLUSTER-IP') && servers.length > 0) takeBitmaps(ipsets, members);
  const byAddress = new Map(servers.map(({ address, service }) => [ipvsAddressKey(address), service]));
  const indexes = new Map<SetKey, ReadonlyMap<string, readonly IpvsMember[]>>();
  const devices = addresses.filter((rules) => rules.family === family);
  return {
    family,
    hasSets: namesOf('clusterIP').some((name) => members.has(name)),
    hasServers: servers.length > 0,
    members: membersOfSet,
    at: (set, address) => {
      const index = indexes.get(set) ?? indexOf(membersOfSet(set));
      indexes.set(set, index);
      return index.get(ipvsAddressKey(address)) ?? [];
    },
    server: (address) => byAddress.get(ipvsAddressKey(address)),
    servers,
    bound: devices.length === 0 ? undefined : new Set(devices.flatMap(boundTo)),
  };
}

export function ipvsAddressKey({ ip, protocol, port }: IpvsAddress): string {
  return `${protocol} ${ip} ${port}`;
}

function indexOf(members: readonly IpvsMember[]): ReadonlyMap<string, readonly IpvsMember[]> {
  const index = new Map<string, IpvsMember[]>();
  for (const member of members) addTo(index, ipvsAddressKey(member), member);
  return index;
}

/** Before 1.16 both families used the same names, and sets of ports do not show a family. */
function takeBitmaps(ipsets: readonly ToolRules[], members: Map<string, readonly IpvsMember[]>): void {
  for (const rules of ipsets.filter((one) => one.family === 'ipv4')) {
    for (const [name, own] of membersOf(rules)) if (name.includes('-NODE-PORT-')) members.set(name, own);
  }
}

function namesOf(set: SetKey): readonly string[] {
  const { name } = ipvsSets[set];
  return [name, ipv6SetName(name)];
}

function* membersOf({ tables }: ToolRules): Iterable<[string, readonly IpvsMember[]]> {
  for (const { content } of tables.get('ipset')?.chains.values() ?? []) {
    if (content?.kind !== 'ipset' || !isKubeName(content.set.name)) continue;
    yield [content.set.name, content.set.members.flatMap(({ member }) => readMember(member) ?? [])];
  }
}

function readMember(text: string): IpvsMember | undefined {
  const [first = '', second, third = ''] = text.split(',');
  if (second === undefined) return { ip: canonicalIp(first) ?? '', protocol: 'TCP', port: Number(first), third };
  const ip = canonicalIp(first);
  const [word = '', number = ''] = second.split(':');
  const protocol = protocolsByWord.get(word);
  return ip === undefined || !/^\d+$/.test(number) || protocol === undefined
    ? undefined
    : { ip, protocol, port: Number(number), third };
}

function serversOf({ tables }: ToolRules): IpvsFacts['servers'] {
  return [...(tables.get('ipvs')?.chains.values() ?? [])].flatMap(({ content }) => {
    if (content?.kind !== 'virtualServer' || content.service.address.kind !== 'address') return [];
    const { ip, port, protocol } = content.service.address;
    return { address: { ip, port, protocol: protocol.toUpperCase() as Protocol }, service: content.service };
  });
}

function boundTo({ tables }: ToolRules): readonly string[] {
  const text = tables.get('addresses')?.chains.get(ipvsDevice)?.text ?? '';
  return text === '' ? [] : text.split('\n');
}
