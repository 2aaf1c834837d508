import { hostCidr } from '../../common/addresses/hostCidr.ts';
import { addressAndPort } from '../../netfilter/ipset/addressAndPort.ts';
import { proxySetKind } from '../../netfilter/ipset/proxySets.ts';
import { ipvsDevice } from '../../netfilter/ipvs/ipvsDevice.ts';
import { ipsetsIn, virtualServicesIn } from '../../node/ipvsRules.ts';
import { linesOf } from '../../node/lines/chainLines.ts';
import type { NetworkInterface } from '../../node/networkFacts.ts';
import type { NodeRules } from '../../node/nodeRules.ts';
import { proxySeen } from '../../seen/proxySeen.ts';

/**
 * kube-ipvs0 with its listed addresses; if it was not listed, with those of the virtual servers, because kube-proxy in
 * IPVS mode adds them all, or, where these are hidden, with those in its sets. Undefined: there are none.
 */
export function ipvsInterface(node: NodeRules, others: readonly string[]): NetworkInterface | undefined {
  const { addresses, ipvs, ipsets } = node;
  const listed = addresses.flatMap(({ tables }) => linesOf(tables.get('addresses')?.chains.get(ipvsDevice)));
  const served = [...virtualAddresses(ipvs), ...(proxySeen(node).hidesServers ? addressesInSets(ipsets) : [])];
  const found = listed.length > 0 ? listed : served;
  const own = [...new Set(found)].filter((ip) => !others.includes(ip));
  if (own.length === 0) return undefined;
  return {
    name: ipvsDevice,
    addresses: own.map((ip) => ({ cidr: hostCidr(ip) })),
  };
}

function virtualAddresses(ipvs: NodeRules['ipvs']): readonly string[] {
  return virtualServicesIn(ipvs).flatMap(({ address }) => (address.kind === 'address' ? address.ip : []));
}

/** Addresses of Services: other sets of kube-proxy hold those of endpoints, or ports. */
function addressesInSets(ipsets: NodeRules['ipsets']): readonly string[] {
  const own = ipsetsIn(ipsets).filter(({ name }) => ofAddresses.has(proxySetKind(name) ?? ''));
  return own.flatMap(({ members }) => members.flatMap(({ member }) => addressAndPort(member)?.ip ?? []));
}

const ofAddresses: ReadonlySet<string> = new Set(['CLUSTER-IP', 'EXTERNAL-IP', 'LOAD-BALANCER']);
