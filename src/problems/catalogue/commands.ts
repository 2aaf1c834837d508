/** What several fixes ask for, as a sentence with its commands. Words in capitals are filled in where they are known (`fillFix`). */
export const commands = {
  /** The rules stay in force meanwhile. */
  restart:
    'Restart kube-proxy on this node, so that it writes all rules again: `kubectl -n kube-system delete pod -l k8s-app=kube-proxy --field-selector spec.nodeName=NODE` (as a system service: `systemctl restart kube-proxy`; k3s: `systemctl restart k3s`).',
  writePolicies:
    'See whether the program that enforces policies runs on the node, and read its log (`kubectl -n kube-system get pods -o wide`); it writes its rules again when it starts. Rules of k8snet are written again by `k8snet compile -f cluster.yaml --node NODE --policy-only -o script`, from all policies, Pods, Namespaces and Nodes as the cluster has them now.',
  findFlusher: "Find what flushes the chains (`systemctl list-units '*firewall*' 'ufw*' '*tables*'`) and stop it.",
  readLog:
    'Read kube-proxy’s log: `kubectl -n kube-system logs POD`, with the Pod of this node from `kubectl -n kube-system get pods -l k8s-app=kube-proxy --field-selector spec.nodeName=NODE`.',
  changeConfig:
    '`kubectl -n kube-system edit configmap kube-proxy`, then `kubectl -n kube-system rollout restart daemonset kube-proxy` (kubeadm and its like)',
  /** Every place in which kube-proxy of some mode or back end writes. */
  saveAll:
    'Save what every back end holds: `iptables-nft-save > node1.nft.save`, `iptables-legacy-save > node1.legacy.save`, `nft list ruleset > node1.nft`, and give all three.',
  wholeDump: 'Give the whole dump: `iptables-save > node1.save`, or for nftables mode `nft list ruleset > node1.nft`.',
  showEndpoints: '`kubectl -n NAMESPACE get endpointslices -l kubernetes.io/service-name=NAME -o wide`',
  /** `kube-proxy --cleanup` removes the rules of the mode in use too. */
  removeOldMode:
    'Drain the node (`kubectl drain NODE --ignore-daemonsets`) and reboot it, or run `kube-proxy --cleanup` on it and restart kube-proxy: no Service answers on this node in between.',
  sameBackEnd:
    'Compare `iptables --version` on the host with `kubectl -n kube-system exec POD -- iptables --version` in kube-proxy’s Pod. Make both use one variant: on Debian and Ubuntu `update-alternatives --set iptables /usr/sbin/iptables-nft` (or iptables-legacy) chooses that of the host, and images with iptables-wrappers follow it. Then drain the node (`kubectl drain NODE --ignore-daemonsets`) and reboot it, which removes the rules of the other variant.',
} as const;
