import { hostCidr } from '../../common/addresses/hostCidr.ts';
import { ipvsDevice } from '../../netfilter/ipvs/ipvsDevice.ts';
import { linesOf } from '../../node/lines/chainLines.ts';
import type { NetworkInterface } from '../../node/networkFacts.ts';
import type { NodeRules } from '../../node/nodeRules.ts';

/**
 * kube-ipvs0 with its listed addresses; if it was not listed, with those of the virtual servers, because kube-proxy in
 * IPVS mode adds them all. Undefined: there are none.
 */
export function ipvsInterface({ addresses, ipvs }: NodeRules, others: readonly string[]): NetworkInterface | undefined {
  const listed = addresses.flatMap(({ tables }) => linesOf(tables.get('addresses')?.chains.get(ipvsDevice)));
  const found = listed.length > 0 ? listed : virtualAddresses(ipvs);
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
