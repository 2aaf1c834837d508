/** Remedies that several causes share. */
export const fixes = {
  endpoints:
    'Compare the selector with the labels of the Pods, and see whether they are ready: `kubectl -n NAMESPACE describe service NAME`, `kubectl -n NAMESPACE get pods -o wide --show-labels`. With the objects of the cluster, `k8snet check-service NAMESPACE/NAME` says what it is.',
  otherNode:
    'Send it to a node that has an endpoint (`kubectl get endpointslices -A -o wide`), or set the traffic policy to Cluster.',
  otherProgram:
    'Change or remove that rule in the program that wrote it (firewall, CNI plug-in, Docker). `iptables-save -c` shows it with its counters.',
  namedRule: 'Look at the rule named, and at the program that wrote it.',
} as const;
