import { commands } from './commands.ts';
import type { FindingEntry } from './findingEntry.ts';

/** 3xx: how traffic is spread over endpoints. */
export const balanceFindings = {
  K8N301: {
    severity: 'error',
    isAdvice: false,
    title: 'part of the traffic falls through',
    seen: 'the last rule of a balancing chain has a probability below one',
    cause: 'The last rule was lost or edited. Packets that match no rule continue untranslated and are lost.',
    fix: commands.restart,
    refs: [],
  },
  K8N302: {
    severity: 'warning',
    isAdvice: false,
    title: 'endpoints get uneven shares',
    seen: 'the probabilities of a balancing chain do not give every endpoint the same share, or not the share that the EndpointSlices imply',
    cause: 'An old endpoint is still listed next to the new ones, or the chain was edited.',
    fix: commands.restart,
    refs: ['kubernetes/kubernetes#67875'],
  },
  K8N303: {
    severity: 'warning',
    isAdvice: false,
    title: 'duplicate endpoint or dead rule',
    seen: 'two rules of a balancing chain lead to one address, or a rule follows one that always matches',
    cause: 'An address appears twice in the slices, or a rule was added by hand.',
    fix: `See whether a slice has the address twice: \`kubectl -n NAMESPACE get endpointslices -l kubernetes.io/service-name=NAME -o yaml\`. ${commands.restart}`,
    refs: [],
  },
  K8N304: {
    severity: 'error',
    isAdvice: false,
    title: 'session affinity is wrong',
    seen: 'a Service with sessionAffinity ClientIP lacks the `recent` rules or has another timeout, or a Service without it has such rules',
    cause: 'The rules are older than the Service’s setting, or kube-proxy is too old (it always wrote 180 s).',
    fix: commands.restart,
    refs: ['kubernetes/kubernetes#35677', 'kubernetes/kubernetes#55429'],
  },
  K8N305: {
    severity: 'warning',
    isAdvice: true,
    title: 'session affinity has limits here',
    seen: 'sessionAffinity ClientIP on a Service that clients reach by several nodes, or with several ports',
    cause:
      'Each node keeps its own list of clients, and so does each port of a Service: one client can end up on two Pods. Clients behind a load balancer or gateway that puts its own address in place of theirs are one client.',
    fix: 'Let what stands in front of the nodes send a client to the same node each time (affinity by client address in the load balancer). For one list of clients, give each Service one port: `kubectl -n NAMESPACE edit service NAME`.',
    refs: ['kubernetes/kubernetes#103000', 'kubernetes/kubernetes#110302'],
  },
  K8N306: {
    severity: 'info',
    isAdvice: true,
    title: 'only terminating endpoints are left',
    seen: 'every endpoint in use is terminating and still serving',
    cause: 'By design since 1.26: terminating endpoints are better than none.',
    fix: 'Nothing to do; new Pods take over when they are ready.',
    refs: ['KEP-1669'],
  },
  K8N307: {
    severity: 'info',
    isAdvice: true,
    title: 'topology hints are not used',
    seen: 'endpoints have zone hints, but the rules use all zones',
    cause: 'A single endpoint without a hint, a node without a zone or a zone without endpoints disables hints.',
    fix: 'See which endpoints lack a hint (`kubectl -n NAMESPACE get endpointslices -l kubernetes.io/service-name=NAME -o yaml`) and which nodes lack a zone (`kubectl get nodes -L topology.kubernetes.io/zone`).',
    refs: ['kubernetes/kubernetes#103888', 'kubernetes/kubernetes#101525'],
  },
  K8N308: {
    severity: 'error',
    isAdvice: false,
    title: 'an endpoint gets no new connections',
    seen: 'a balancing chain names an endpoint, but no new connection reaches it: its probability is 0, or only returning clients are sent to it',
    cause: 'Rules were lost, edited or reordered.',
    fix: commands.restart,
    refs: [],
  },
} as const satisfies Record<string, FindingEntry>;
