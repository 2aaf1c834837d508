import { hostCidr } from '../../common/addresses/hostCidr.ts';
import { addressAndPort } from '../../netfilter/ipset/addressAndPort.ts';
import { proxySetKind } from '../../netfilter/ipset/proxySets.ts';
import { ipvsDevice } from '../../netfilter/ipvs/ipvsDevice.ts';
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
  const served = proxySeen(node).hidesServers
    ? [...virtualAddresses(ipvs), ...addressesInSets(ipsets)]
    : virtualAddresses(ipvs);
  const found = listed.length > 0 ? listed : served;
  const own = [...new Set(found)].filter((ip) => !others.includes(ip));
  if (own.length === 0) return undefined;
  return {
    name: ipvsDevice,
    addresses: own.map((ip) => ({ cidr: hostCidr(ip) })),
  };
}

function virtualAddresses(ipvs: NodeRules['ipvs']): readonly string[] {
  return ipvs.flatMap(({ tables }) =>
    [...tables.values()].flatMap(({ chains }) =>
      [...chains.values()].flatMap(({ content }) =>
        content?.kind === 'virtualServer' && content.service.address.kind === 'address'
          ? [content.service.address.ip]
          : [],
      ),
    ),
  );
}

/** Addresses of Services: other sets of kube-proxy hold those of endpoints, or ports. */
function addressesInSets(ipsets: NodeRules['ipsets']): readonly string[] {
  const sets = ipsets.flatMap(({ tables }) => [...(tables.get('ipset')?.chains.values() ?? [])]);
  return sets.flatMap(({ name, content }) =>
    content?.kind === 'ipset' && ofAddresses.has(proxySetKind(name) ?? '')
      ? content.set.members.flatMap(({ member }) => addressAndPort(member)?.ip ?? [])
      : [],
  );
}

const ofAddresses: ReadonlySet<string> = new Set(['CLUSTER-IP', 'EXTERNAL-IP', 'LOAD-BALANCER']);
