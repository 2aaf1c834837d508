import { commands } from './commands.ts';
import type { FindingEntry } from './findingEntry.ts';

/** 4xx: masquerading and marks. */
export const natFindings = {
  K8N401: {
    severity: 'warning',
    isAdvice: false,
    title: 'traffic from outside the cluster is not masqueraded',
    seen: 'no `! -s CIDR -j KUBE-MARK-MASQ` for a Service',
    cause: 'kube-proxy knows no clusterCIDR, or detectLocalMode finds none, so it cannot tell local Pods from others.',
    fix: `Set \`clusterCIDR\` or \`detectLocalMode\` in kube-proxy’s configuration: ${commands.changeConfig}.`,
    refs: ['kubernetes/kubernetes#36652', 'kubernetes/kubernetes#124587'],
  },
  K8N402: {
    severity: 'warning',
    isAdvice: true,
    title: 'clusterCIDR does not cover the nodes’ Pods',
    seen: 'the CIDR in the rules leaves out a podCIDR of some Node',
    cause: 'kube-proxy’s clusterCIDR is wrong or outdated.',
    fix: `Compare with \`kubectl get nodes -o custom-columns=NAME:.metadata.name,PODS:.spec.podCIDRS\`, and correct \`clusterCIDR\`: ${commands.changeConfig}.`,
    refs: ['kubernetes/kubernetes#44916'],
  },
  K8N403: {
    severity: 'warning',
    isAdvice: false,
    title: 'a Pod cannot reach itself through its Service',
    seen: 'an endpoint chain does not mark packets that the endpoint itself sent, or hairpin mode is off on the ports of a bridge',
    cause:
      'The hairpin rule was lost or edited, so the Pod would answer itself without translation. Or the bridge does not send packets back out of the port on which they arrived.',
    fix: `With a bridge, switch hairpin mode on: \`hairpinMode: true\` in the configuration of the bridge plugin, \`bridge link set dev INTERFACE hairpin on\` for Pods that run already. Without a bridge, the rule was lost. ${commands.restart}`,
    refs: ['kubernetes/kubernetes#20475', 'kubernetes/kubernetes#13375'],
  },
  K8N404: {
    severity: 'warning',
    isAdvice: false,
    title: 'the mark is not cleared before masquerading',
    seen: 'KUBE-POSTROUTING has no RETURN and no flip of the mark before MASQUERADE',
    cause:
      'kube-proxy before 1.19 (and before patch releases with the backport) leaves the mark set, so packets that VXLAN encapsulates are masqueraded twice, with wrong checksums on some kernels.',
    fix: 'Upgrade kube-proxy to 1.19 or newer. Until then `ethtool -K flannel.1 tx-checksum-ip-generic off` (with the name of the VXLAN device) avoids wrong checksums.',
    refs: ['kubernetes/kubernetes#92035', 'kubernetes/kubernetes#88986'],
  },
  K8N405: {
    severity: 'warning',
    isAdvice: false,
    title: 'another program masquerades first',
    seen: 'a MASQUERADE or SNAT of all traffic, or of the Pods’ traffic, comes before KUBE-POSTROUTING',
    cause: 'A network plugin inserted its rules first, without an exception for kube-proxy’s mark.',
    fix: 'See the order: `iptables -t nat -L POSTROUTING -n -v --line-numbers`. Upgrade the plugin to a release that leaves marked packets alone, or let it append its rule.',
    refs: ['flannel-io/flannel#1681'],
  },
  K8N406: {
    severity: 'warning',
    isAdvice: false,
    title: 'another program uses kube-proxy’s mark',
    seen: 'a rule of another program sets or tests the bits 0x4000 or 0x8000 with a wide mask',
    cause: 'All programs share one mark; a program that sets it without a mask clears kube-proxy’s bits.',
    fix: `Give that program other bits or a mask, or change \`iptables.masqueradeBit\` of kube-proxy: ${commands.changeConfig}.`,
    refs: ['KEP-3178'],
  },
  K8N407: {
    severity: 'info',
    isAdvice: true,
    title: 'ports are not chosen at random',
    seen: 'MASQUERADE without --random-fully',
    cause:
      'iptables before 1.6.2 or a kernel without it; two simultaneous connections can get the same port, and one is lost.',
    fix: 'Upgrade iptables in kube-proxy’s image (`kubectl -n kube-system exec POD -- iptables --version`) to 1.6.2 or newer, or the kernel (`uname -r`).',
    refs: ['flannel-io/flannel#1004'],
  },
  K8N408: {
    severity: 'info',
    isAdvice: true,
    title: 'all traffic is masqueraded',
    seen: 'masqueradeAll: every packet for a cluster IP is marked',
    cause:
      'A setting of kube-proxy. Pods do not see their clients’ addresses; affinity and policies by address do not work.',
    fix: `Unless routing needs it, set \`masqueradeAll: false\`: ${commands.changeConfig}.`,
    refs: [],
  },
  K8N409: {
    severity: 'error',
    isAdvice: false,
    title: 'one mark is set, another is tested',
    seen: 'the bit that KUBE-MARK-MASQ sets is not the one that KUBE-POSTROUTING or KUBE-FORWARD tests, or not the configured one',
    cause:
      'Two programs write these chains with different bits (kubelet through 1.27, a second kube-proxy), or a rule was edited.',
    fix: `Set one \`masqueradeBit\` everywhere: ${commands.changeConfig}.`,
    refs: [],
  },
  K8N410: {
    severity: 'error',
    isAdvice: false,
    title: 'marked packets are not masqueraded, or all are',
    seen: 'KUBE-POSTROUTING lacks its MASQUERADE, or the RETURN in front of it',
    cause:
      'A restore failed, or the chain was edited. Without MASQUERADE, replies bypass the node; without RETURN, every packet gets the node’s address.',
    fix: commands.restart,
    refs: [],
  },
  K8N411: {
    severity: 'warning',
    isAdvice: false,
    title: 'Pod-to-Pod traffic is masqueraded',
    seen: 'after KUBE-POSTROUTING, a MASQUERADE or SNAT of another program matches traffic between Pods',
    cause:
      'A rule meant for traffic that leaves the cluster does not leave out the range of the Pods: Docker’s own masquerading (`-s RANGE ! -o docker0`), a bridge plugin with ipMasq, a hand-made rule. Pods see a node’s address instead of the Pod’s: source addresses in logs and NetworkPolicies by Pod do not hold.',
    fix: 'Leave the Pods’ range out of that rule (`! -d CLUSTER-RANGE`), start dockerd with `--ip-masq=false`, or set `ipMasq: false` in the plugin’s configuration. For now: `iptables -t nat -I POSTROUTING NUMBER -s CLUSTER-RANGE -d CLUSTER-RANGE -j RETURN`, with the number of that rule from `iptables -t nat -L POSTROUTING -n --line-numbers`; it must stay behind KUBE-POSTROUTING.',
    refs: [],
  },
  K8N412: {
    severity: 'warning',
    isAdvice: false,
    title: 'packets with a foreign drop mark are dropped',
    seen: 'the DROP in KUBE-FIREWALL has counted packets that KUBE-MARK-DROP did not mark',
    cause:
      'KUBE-FIREWALL drops packets with the mark of KUBE-MARK-DROP, mostly 0x8000. Another program (a network plugin, a VPN, an eBPF program) uses the same bit for another purpose, and its packets are lost.',
    fix: 'Find the program that sets the bit (`nft list ruleset`, `tc filter show`, `ip rule`), and change its bit. Since 1.28 kubelet needs neither chain: delete the rule that an older kubelet left in KUBE-FIREWALL, or reboot the node.',
    refs: ['KEP-3178'],
  },
} as const satisfies Record<string, FindingEntry>;
