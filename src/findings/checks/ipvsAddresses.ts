import { canonicalIp } from '../../common/ip.ts';
import { addressAndPort } from '../../netfilter/ipset/addressAndPort.ts';
import { chainPlace, linesOf } from '../../node/chainLines.ts';
import type { NodeRules, ToolRules } from '../../node/nodeRules.ts';
import { listOf } from '../explain/listOf.ts';
import type { Finding } from '../finding.ts';
import { makeFinding } from '../makeFinding.ts';

/**
 * K8N701 without manifests: the addresses of kube-ipvs0 against the cluster IPs in kube-proxy's own set and the addresses
 * of its virtual servers. Others than cluster IPs may be the node's own, which are on another device. Asked of a family
 * whose addresses, sets and virtual servers were all given.
 */
export function ipvsAddresses({
  addresses,
  ipsets,
  ipvs,
}: Pick<NodeRules, 'addresses' | 'ipsets' | 'ipvs'>): readonly Finding[] {
  return addresses.flatMap(({ family, tables }) => {
    const shown = tables.get('addresses')?.chains.get('kube-ipvs0');
    const own_ = (rules: readonly ToolRules[]) => rules.find((one) => one.family === family)?.tables;
    const members = own_(ipsets)?.get('ipset')?.chains;
    const servers = own_(ipvs)?.get('ipvs')?.chains;
    if (shown === undefined || members === undefined || servers === undefined) return [];
    const own = new Set(linesOf(shown));
    const needed = new Set<string>();
    for (const name of ['KUBE-CLUSTER-IP', 'KUBE-6-CLUSTER-IP']) {
      const content = members.get(name)?.content;
      for (const { member } of content?.kind === 'ipset' ? content.set.members : []) {
        addIp(needed, addressAndPort(member)?.ip);
      }
    }
    const served = new Set<string>(needed);
    for (const { content } of servers.values()) {
      if (content?.kind !== 'virtualServer' || content.service.address.kind === 'mark') continue;
      addIp(served, content.service.address.ip);
    }
    const isWhole = tables.get('addresses')?.isWhole === true;
    const missing = isWhole ? [...needed].filter((ip) => !own.has(ip)) : [];
    const extra = [...own].filter((ip) => !served.has(ip));
    const found = chainPlace(shown);
    return [
      ...(missing.length > 0 ? [makeFinding('K8N701', { seen: `kube-ipvs0 lacks ${listOf(missing)}`, found })] : []),
      ...(extra.length > 0
        ? [makeFinding('K8N701', { seen: `kube-ipvs0 has ${listOf(extra)}, which no Service has`, found })]
        : []),
    ];
  });
}

function addIp(ips: Set<string>, text: string | undefined): void {
  const ip = canonicalIp(text ?? '');
  if (ip !== undefined) ips.add(ip);
}
