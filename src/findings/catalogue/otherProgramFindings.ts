import type { FindingEntry } from './findingEntry.ts';

/** 6xx: other programs' rules in the way of kube-proxy's. */
export const otherProgramFindings = {
  K8N601: {
    severity: 'warning',
    isAdvice: false,
    title: 'a host port takes a Service’s port',
    seen: 'CNI-HOSTPORT-DNAT comes before KUBE-SERVICES, and a hostPort is also the port of a load balancer',
    cause: 'The portmap plugin inserts its chain first, and it matches any local address.',
    fix: 'See which Pod has the port: `iptables -t nat -S CNI-HOSTPORT-DNAT`. Change its hostPort or the Service’s port.',
    refs: ['containernetworking/plugins#577'],
  },
  K8N602: {
    severity: 'info',
    isAdvice: true,
    title: 'connection tracking is off for a Service',
    seen: 'NOTRACK in the table raw for a Service’s address',
    cause:
      'NodeLocal DNSCache itself answers at the DNS Service’s address; without tracking, nothing is translated. The finding becomes a warning if its Pod is gone or Calico runs on the node.',
    fix: 'See whether its Pod runs on this node: `kubectl -n kube-system get pods -l k8s-app=node-local-dns -o wide`. If it does, nothing to do; if it is gone, list the rules with `iptables -t raw -S` and delete those of the Service.',
    refs: ['kubernetes/kubernetes#98758', 'kubernetes/dns#358'],
  },
  K8N603: {
    severity: 'warning',
    isAdvice: false,
    title: 'a host firewall rejects Pods',
    seen: 'a REJECT of firewalld or ufw matches forwarded traffic or traffic to the node',
    cause: 'The zones of the firewall do not know the Pods’ addresses or interfaces.',
    fix: 'Trust the Pods’ range. firewalld: `firewall-cmd --zone=trusted --add-source=POD-RANGE`, and once more with `--permanent`. ufw: `ufw route allow from POD-RANGE`, `ufw route allow to POD-RANGE` and `ufw allow from POD-RANGE`.',
    refs: ['cloudnativelabs/kube-router#596'],
  },
  K8N604: {
    severity: 'warning',
    isAdvice: false,
    title: 'an nft table drops at the same hook',
    seen: 'a base chain of another nft table at the hook forward has policy drop or ends with a drop or reject, and accepts no new connections',
    cause: 'An accept in one table is not final: a packet must pass all tables.',
    fix: 'Accept the Pods’ traffic in that table too: `nft insert rule FAMILY TABLE CHAIN ip saddr POD-RANGE accept`, the same with `daddr`, and both in the program that wrote the table.',
    refs: ['KEP-3866'],
  },
  K8N605: {
    severity: 'info',
    isAdvice: true,
    title: 'two programs may translate Services',
    seen: 'chains of Cilium next to KUBE-SVC chains of kube-proxy',
    cause:
      'Cilium as a network plugin works beside kube-proxy, and both have chains. Where it replaces kube-proxy (kubeProxyReplacement), the rules of kube-proxy are left over, or both translate.',
    fix: 'Ask Cilium: `cilium status | grep KubeProxyReplacement`. If it says True, run no kube-proxy, and remove its rules with `kube-proxy --cleanup`.',
    refs: ['kubernetes/kubernetes#119265'],
  },
  K8N606: {
    severity: 'error',
    isAdvice: false,
    title: 'another rule comes before kube-proxy’s',
    seen: 'a DNAT, REDIRECT, ACCEPT or RETURN of another program comes before the jump to KUBE-SERVICES and can match a Service',
    cause: 'Another program inserts its rules first; the first translation of a connection wins.',
    fix: 'See the order: `iptables -t nat -L PREROUTING -n -v --line-numbers`. Narrow that rule, or let its program append it instead of inserting it.',
    refs: [],
  },
  K8N607: {
    severity: 'error',
    isAdvice: false,
    title: 'one host port leads to two Pods',
    seen: 'two rules of CNI-HOSTPORT-DNAT take the same host port to different CNI-DN chains',
    cause: 'The chain of a Pod that is gone was not deleted, or two Pods got the same hostPort. The first rule wins.',
    fix: 'Delete the rule and the chain of the Pod that is gone: `iptables -t nat -D CNI-HOSTPORT-DNAT …`, then `-F` and `-X` of its chain.',
    refs: [],
  },
} as const satisfies Record<string, FindingEntry>;
