import { commands } from './commands.ts';
import type { FindingEntry } from './findingEntry.ts';

/** 1xx: the dump itself misleads, or says which node and program it is from. */
export const dumpFindings = {
  K8N101: {
    severity: 'error',
    isAdvice: false,
    title: 'kube-proxy rules in both back ends',
    seen: 'KUBE-* service rules are in a dump of iptables-legacy and in one of iptables-nft',
    cause:
      'The kernel applies both rule sets one after the other. kube-proxy’s container and the host (or an earlier kube-proxy) chose different variants of iptables.',
    fix: commands.sameBackEnd,
    refs: ['kubernetes/kubernetes#71305', 'kubermatic/kubeone#1037'],
  },
  K8N102: {
    severity: 'error',
    isAdvice: false,
    title: 'the dump lacks matches',
    seen: 'rules for service addresses name a protocol but no port, or KUBE-FORWARD and KUBE-POSTROUTING test no mark',
    cause:
      'An older iptables-nft reads the rules of a newer one without an error, but leaves out matches that it cannot decode. The rules in the kernel are most likely complete; the dump is not.',
    fix: 'Save again with the newer program. That of kube-proxy’s image: `kubectl -n kube-system exec POD -- iptables-save > node1.save`.',
    refs: ['kubernetes/kubernetes#112477'],
  },
  K8N103: {
    severity: 'error',
    isAdvice: false,
    title: 'a table is hidden from the dump',
    seen: 'iptables-save printed that a table is incompatible instead of its rules, or that tables of iptables-legacy are present',
    cause:
      'A program used nft to add rules to that table that iptables cannot express, so the whole table is left out.',
    fix: 'Look with `nft list ruleset`, and move such rules to a table of their own.',
    refs: ['cloudnativelabs/kube-router#1777', 'ubicloud/ubicloud#2966'],
  },
  K8N104: {
    severity: 'warning',
    isAdvice: false,
    title: 'addresses printed incorrectly',
    seen: '`-s 0.0.0.0/32` or `-d 0.0.0.0/32` in a dump of iptables-nft 1.8.8',
    cause: 'That release prints addresses that are not in the rules. The rules in the kernel are not affected.',
    fix: 'Save again with another release, such as that of kube-proxy’s image: `kubectl -n kube-system exec POD -- iptables-save > node1.save`.',
    refs: ['openwrt/packages#11169', 'netfilter bug 1642'],
  },
  K8N105: {
    severity: 'warning',
    isAdvice: false,
    title: 'duplicate rules',
    seen: 'a chain holds copies of one rule',
    cause:
      'A program appends without checking, or checks with `iptables -C` of releases 1.8.0 to 1.8.2, whose nft variant does not find existing rules. A second copy of a verdict has no effect; flipping a mark twice undoes it.',
    fix: 'Upgrade iptables (`iptables --version`) or the program that appends. Delete the copies by number, the highest first: `iptables -t nat -L CHAIN -n --line-numbers`, then `iptables -t nat -D CHAIN NUMBER`.',
    refs: ['kubernetes/kubernetes#82361', 'kubernetes/kubernetes#119791'],
  },
  K8N106: {
    severity: 'error',
    isAdvice: false,
    title: 'not a dump of the node',
    seen: 'no chain of kube-proxy or kubelet, but what a sidecar or a container runtime puts into a Pod (ISTIO_ chains), or nothing at all',
    cause: 'The dump was taken in the network namespace of a Pod or container.',
    fix: 'Save in the namespace of the node: `nsenter -t 1 -n iptables-save`, or `kubectl debug node/NODE -it --image=busybox --profile=sysadmin -- chroot /host iptables-save`.',
    refs: [],
  },
  K8N107: {
    severity: 'info',
    isAdvice: false,
    title: 'a table or a family is missing',
    seen: 'the dump lacks a table that kube-proxy uses, or the family of some Services',
    cause:
      '`iptables-save -t nat` prints one table only; ip6tables-save prints the other family. What depends on the missing part is not checked.',
    fix: 'To check the rest too, save all tables and both families: `iptables-save > node1.v4.save` and `ip6tables-save > node1.v6.save`.',
    refs: [],
  },
  K8N108: {
    severity: 'warning',
    isAdvice: false,
    title: 'kubelet and kube-proxy use different back ends',
    seen: 'KUBE-IPTABLES-HINT or KUBE-KUBELET-CANARY is in a different variant of iptables than KUBE-SERVICES',
    cause: 'kubelet on the host and kube-proxy in its container chose different variants.',
    fix: commands.sameBackEnd,
    refs: ['KEP-3178', 'cilium/cilium#20123'],
  },
  K8N109: {
    severity: 'info',
    isAdvice: true,
    title: 'written by another version',
    seen: 'rules look different from those of the chosen version of kube-proxy',
    cause: 'The node runs another version than `--kube-version` names, or the rules are left from before an upgrade.',
    fix: 'Compare with the version detected in the dump: `k8snet diff --kube-version VERSION`.',
    refs: [],
  },
  K8N110: {
    severity: 'info',
    isAdvice: true,
    title: 'the dump is cut',
    seen: 'a table has no COMMIT (of nft: no closing brace) or its rules lead to chains that it does not have',
    cause:
      'Only part of the output was saved or pasted: a screen, `grep`, `head`. No kernel has rules that jump to missing chains. k8snet draws no conclusions from what such a table lacks.',
    fix: 'Save the whole output to a file: `iptables-save > node1.save`; `k8snet collect` prints all commands.',
    refs: [],
  },
  K8N111: {
    severity: 'error',
    isAdvice: false,
    title: 'no rule of kube-proxy',
    seen: 'whole tables were dumped, and none of them has a chain of kube-proxy, of any mode',
    cause:
      'kube-proxy does not run on this node, it has not synced yet, another program serves Services in its place, or its rules are where this dump does not look. Nothing else is concluded from such a dump.',
    fix: `See whether kube-proxy runs: \`kubectl -n kube-system get pods -l k8s-app=kube-proxy -o wide\`. ${commands.saveAll}`,
    refs: [],
  },
} as const satisfies Record<string, FindingEntry>;
