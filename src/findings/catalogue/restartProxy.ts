/** What makes kube-proxy write all rules of a node again. The rules stay in force meanwhile. */
export const restartProxy =
  'restart kube-proxy on this node, which writes all rules again (`kubectl -n kube-system delete pod -l k8s-app=kube-proxy --field-selector spec.nodeName=NODE`, where it runs as a DaemonSet)';
