import type { Cidr } from '../common/addresses/cidr.ts';
import type { Rule } from '../netfilter/iptables/ast.ts';
import { comment, from } from '../netfilter/iptables/print/builders.ts';

const purpose = 'k8snet: Pods that leave their network';

/**
 * What network plug-ins do after kube-proxy's rules: a Pod that sends to destinations outside of the Pod network does
 * so with its node's address, since no router out there knows Pods.
 */
export function podMasqueradeRule(pods: Cidr): Rule {
  return {
    chain: 'POSTROUTING',
    words: [from(pods.text), { kind: 'destination', negated: true, address: pods.text }, comment(purpose)],
    target: { kind: 'masquerade' },
  };
}

/** The same as a table of nftables, as `nft list table` shows it. */
export function podMasqueradeTable(pods: Cidr): string {
  const family = pods.family === 'ipv4' ? 'ip' : 'ip6';
  return `table ${podMasqueradeTableName(pods)} {
	chain postrouting {
		type nat hook postrouting priority srcnat; policy accept;
		${family} saddr ${pods.text} ${family} daddr != ${pods.text} masquerade comment "${purpose}"
	}
}
`;
}

export function podMasqueradeTableName({ family }: Cidr): string {
  return `${family === 'ipv4' ? 'ip' : 'ip6'} k8snet-pods`;
}
