import type { FindingEntry } from './findingEntry.ts';

/** 9xx: the manifests contradict themselves, whatever the dump says. */
export const objectFindings = {
  K8N901: {
    severity: 'error',
    isAdvice: true,
    title: 'an EndpointSlice belongs to no Service port',
    seen: 'a slice without the label kubernetes.io/service-name, with a port name that no Service port has, or with addresses of the other family',
    cause: 'The slice was made by hand, or the Service was changed.',
    fix: 'Name its Service: `kubectl -n NAMESPACE label endpointslice SLICE kubernetes.io/service-name=NAME`, and give its ports the names of the Service’s ports.',
    refs: [],
  },
  K8N902: {
    severity: 'warning',
    isAdvice: true,
    title: 'no Pod has the named port',
    seen: 'targetPort names a port that some or all selected Pods (or the templates of workloads) do not have',
    cause: 'A typo, or the Pods were changed.',
    fix: 'See which ports the Pods name: `kubectl -n NAMESPACE get pods -o custom-columns=NAME:.metadata.name,PORTS:.spec.containers[*].ports[*].name`. Name the port in the Pods’ containers, or use its number.',
    refs: [],
  },
  K8N903: {
    severity: 'error',
    isAdvice: true,
    title: 'two Services want one address or port',
    seen: 'an external or load-balancer IP with its port is also an address of another Service',
    cause:
      'The API server, like k8snet, rejects node ports and cluster IPs that clash, but not external and load-balancer IPs. One of them gets all traffic: which one kube-proxy leaves to chance.',
    fix: 'See which Services have the address: `kubectl get services -A -o wide | grep ADDRESS`. Give one of them another address or port.',
    refs: [],
  },
  K8N904: {
    severity: 'info',
    isAdvice: true,
    title: 'Endpoints and EndpointSlices differ',
    seen: 'both kinds are given for a Service and hold different addresses',
    cause: 'One mirrors the other with a delay; kube-proxy uses slices only.',
    fix: 'Nothing to do; slices take precedence.',
    refs: ['kubernetes/kubernetes#110301'],
  },
  K8N905: {
    severity: 'warning',
    isAdvice: true,
    title: 'a NetworkPolicy without effect',
    seen: 'a policy selects no Pod, or allows a named port that no Pod has',
    cause: 'A typo in labels or names, or the Pods are not among the manifests.',
    fix: 'See the labels of the Pods: `kubectl -n NAMESPACE get pods --show-labels`. Correct the selector or the port.',
    refs: [],
  },
  K8N906: {
    severity: 'info',
    isAdvice: true,
    title: 'EndpointSlices of a Service disagree',
    seen: 'one address stands in two slices of a Service, ready in one and not in the other; what the dump shows is taken for right',
    cause:
      'A Pod has just become ready or ended, and one slice lags behind; or two controllers write slices for the Service. kube-proxy goes through slices in no order, so each sync may decide anew.',
    fix: 'Nothing to do if it passes. If it stays, see who manages the slices: `kubectl -n NAMESPACE get endpointslices -l kubernetes.io/service-name=NAME -L endpointslice.kubernetes.io/managed-by`.',
    refs: [],
  },
} as const satisfies Record<string, FindingEntry>;
