import { canonicalIp } from '../../../common/addresses/ip.ts';
import { addressAndPort } from '../../../netfilter/ipset/addressAndPort.ts';
import type { VirtualService } from '../../../netfilter/ipvs/ast.ts';
import { ipvsDevice } from '../../../netfilter/ipvs/ipvsDevice.ts';
import { isProxyService } from '../../../netfilter/ipvs/isProxyService.ts';
import { chainPlace, linesOf } from '../../../node/lines/chainLines.ts';
import type { NodeRules, RuleTable, ToolRules } from '../../../node/nodeRules.ts';
import { areServersInPart, areServersLost } from '../../../seen/ipvs/shownInPart.ts';
import { listOf } from '../../explain/listOf.ts';
import type { Finding } from '../../finding.ts';
import { makeFinding } from '../../makeFinding.ts';

/**
 * K8N701 without manifests: compares the addresses of kube-ipvs0 with the cluster IPs in kube-proxy's own set and with
 * the addresses of its virtual servers. Other addresses may belong to the node, on another device: without the set, all
 * devices are searched if they were given.
 */
export function ipvsAddresses(node: Asked): readonly Finding[] {
  return node.addresses.flatMap(({ family, tables }) => {
    const table = tables.get('addresses');
    const shown = table?.chains.get(ipvsDevice);
    const own_ = (rules: readonly ToolRules[]) => rules.find((one) => one.family === family)?.tables;
    const members = own_(node.ipsets)?.get('ipset')?.chains;
    const servers = own_(node.ipvs)?.get('ipvs')?.chains;
    if (table === undefined || servers === undefined) return [];
    const own = new Set(linesOf(shown));
    const served = servedBy(servers, () => true);
    const needed = members === undefined ? elsewhere(servedBy(servers, isProxyService), node) : clusterIps(members);
    const isPart = areServersLost(node.ipvs) || areServersInPart(node.ipvs, own.size);
    const missing = table.isWhole ? [...needed].filter((ip) => !own.has(ip)) : [];
    const extra = members === undefined || isPart ? [] : [...own].filter((ip) => !served.has(ip) && !needed.has(ip));
    const found = shown === undefined ? [] : chainPlace(shown);
    return [
      ...(missing.length > 0 ? [makeFinding('K8N701', { what: `kube-ipvs0 lacks ${listOf(missing)}`, found })] : []),
      ...(extra.length > 0
        ? [makeFinding('K8N701', { what: `kube-ipvs0 has ${listOf(extra)}, which no Service has`, found })]
        : []),
    ];
  });
}

type Asked = Pick<NodeRules, 'addresses' | 'ipsets' | 'ipvs' | 'network'>;
type Chains = RuleTable['chains'];

function clusterIps(members: Chains): ReadonlySet<string> {
  const ips = new Set<string>();
  for (const name of ['KUBE-CLUSTER-IP', 'KUBE-6-CLUSTER-IP']) {
    const content = members.get(name)?.content;
    for (const { member } of content?.kind === 'ipset' ? content.set.members : []) {
      addIp(ips, addressAndPort(member)?.ip);
    }
  }
  return ips;
}

function servedBy(servers: Chains, isCounted: (service: VirtualService) => boolean): ReadonlySet<string> {
  const ips = new Set<string>();
  for (const { content } of servers.values()) {
    if (content?.kind !== 'virtualServer' || content.service.address.kind === 'mark') continue;
    if (!isCounted(content.service)) continue;
    addIp(ips, content.service.address.ip);
  }
  return ips;
}

/**
 * Those that are on no other device of the node, loopback addresses first; empty unless `ip addr` showed all devices.
 */
function elsewhere(served: ReadonlySet<string>, { network }: Asked): ReadonlySet<string> {
  const others = network.interfaces.filter(({ name }) => name !== ipvsDevice);
  if (others.length < 2 || !others.some(({ name }) => name === 'lo')) return new Set();
  const known = new Set<string>();
  for (const { addresses } of others) for (const { cidr } of addresses) addIp(known, cidr.replace(/\/.*/, ''));
  return new Set([...served].filter((ip) => !known.has(ip)));
}

function addIp(ips: Set<string>, text: string | undefined): void {
  const ip = canonicalIp(text ?? '');
  if (ip !== undefined) ips.add(ip);
}
