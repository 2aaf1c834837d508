import { commands } from './commands.ts';
import type { FindingEntry } from './findingEntry.ts';

/** 7xx: IPVS mode; 8xx: nftables mode. */
export const proxyModeFindings = {
  K8N701: {
    severity: 'error',
    isAdvice: false,
    title: 'kube-ipvs0 has other addresses',
    seen: 'a Service’s address is missing from kube-ipvs0, or kube-ipvs0 has an address that no Service has',
    cause:
      'kube-proxy is behind. For an address that is missing, only what the node itself sends reaches the Service; the node keeps answering for one that was left there.',
    fix: commands.restart,
    refs: ['kubernetes/kubernetes#78421'],
  },
  K8N702: {
    severity: 'error',
    isAdvice: false,
    title: 'an ipset or virtual server differs',
    seen: 'members of KUBE-CLUSTER-IP and other sets, or virtual and real servers, are not those of the Services',
    cause: 'kube-proxy is behind or its sync fails.',
    fix: `${commands.restart} If it stays so, read its log: \`kubectl -n kube-system logs POD\`.`,
    refs: [],
  },
  K8N703: {
    severity: 'info',
    isAdvice: true,
    title: 'a real server has weight 0',
    seen: 'an IPVS destination gets no new connections',
    cause: 'The endpoint is terminating; kube-proxy waits for its connections to end.',
    fix: `\`ipvsadm -Ln\` shows its connections (ActiveConn). Wait: kube-proxy removes it when they have ended. If the endpoint is ready (\`kubectl get endpointslices -A -o wide\`), somebody may have set the weight with ipvsadm; then: ${commands.restart}`,
    refs: [],
  },
  K8N704: {
    severity: 'warning',
    isAdvice: false,
    title: 'services of the host answer on cluster IPs',
    seen: 'no KUBE-IPVS-FILTER chain',
    cause: 'Before 1.26, every port on which the host listens can be reached through a Service’s address.',
    fix: 'Upgrade kube-proxy to 1.26 or newer.',
    refs: ['kubernetes/kubernetes#72236'],
  },
  K8N705: {
    severity: 'info',
    isAdvice: true,
    title: 'affinity lasts longer than configured',
    seen: 'the persistence of a virtual server is not the Service’s timeout, or connections in TIME_WAIT prolong it',
    cause: 'IPVS keeps a client’s template as long as any of its connections is in the table.',
    fix: 'Nothing to do; allow for it.',
    refs: ['kubernetes/kubernetes#89358'],
  },
  K8N706: {
    severity: 'error',
    isAdvice: false,
    title: 'IPVS connections are not tracked',
    seen: 'net.ipv4.vs.conntrack is 0 on a node in IPVS mode',
    cause:
      'Another program reset it after kube-proxy set it. IPVS traffic cannot be masqueraded then: node ports and clients outside the cluster get no replies.',
    fix: '`sysctl -w net.ipv4.vs.conntrack=1`; kube-proxy sets it when it starts.',
    refs: [],
  },
  K8N707: {
    severity: 'error',
    isAdvice: false,
    title: 'kube-proxy is not in IPVS mode',
    seen: 'rules of iptables mode, and neither virtual servers nor sets, where IPVS mode was configured',
    cause:
      'The kernel lacks a module that IPVS mode needs, and kube-proxy fell back to iptables mode, as its log says; or it was not restarted since its mode was changed. All other differences follow from that.',
    fix: `\`modprobe -a ip_vs ip_vs_rr ip_vs_wrr ip_vs_sh nf_conntrack\` (nf_conntrack_ipv4 before Linux 4.19), and name them in /etc/modules-load.d. ${commands.restart}`,
    refs: [],
  },
  K8N801: {
    severity: 'warning',
    isAdvice: true,
    title: 'policy Local drops more than traffic from outside',
    seen: 'an external address of a Service with policy Local and no endpoint on this node, in nftables mode',
    cause:
      'Through 1.33.5, traffic from the node itself is dropped before it is translated. iptables mode, and nftables mode from 1.33.6 on, let it through.',
    fix: `Use the cluster IP inside the cluster, or upgrade kube-proxy to 1.33.6 or newer. Policy Cluster avoids it too, and hides the clients’ addresses: \`kubectl -n NAMESPACE patch service NAME -p '{"spec":{"externalTrafficPolicy":"Cluster"}}'\`.`,
    refs: ['kubernetes/kubernetes#131765'],
  },
  K8N802: {
    severity: 'warning',
    isAdvice: true,
    title: 'node ports answer on the primary address only',
    seen: 'node ports are not open on other addresses of the node, nor on loopback',
    cause: 'The default of nftables mode differs from that of iptables mode.',
    fix: `If more addresses are needed, set \`nodePortAddresses\`: ${commands.changeConfig}. Loopback never answers in nftables mode.`,
    refs: ['KEP-3866'],
  },
  K8N803: {
    severity: 'info',
    isAdvice: true,
    title: 'INVALID packets are not dropped',
    seen: 'nftables mode has no rule against packets that conntrack marks INVALID',
    cause:
      'By design: nftables mode relies on nf_conntrack_tcp_be_liberal instead, which kube-proxy sets only if its configuration says conntrack.tcpBeLiberal.',
    fix: 'If connections are reset, set `conntrack.tcpBeLiberal: true` in kube-proxy’s configuration, or on the node: `sysctl -w net.netfilter.nf_conntrack_tcp_be_liberal=1`.',
    refs: ['kubernetes/kubernetes#122663'],
  },
} as const satisfies Record<string, FindingEntry>;
