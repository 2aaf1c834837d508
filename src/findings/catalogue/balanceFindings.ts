import { commands } from './commands.ts';
import type { FindingEntry } from './findingEntry.ts';

/** 3xx: how traffic is spread over endpoints. */
export const balanceFindings = {
  K8N301: {
    severity: 'error',
    isAdvice: false,
    title: 'part of the traffic falls through',
    seen: 'the last rule of a balancing chain has a probability below one',
    cause: 'The last rule was lost or edited. Packets that no rule takes go on untranslated and are lost.',
    fix: commands.restart,
    refs: [],
  },
  K8N302: {
    severity: 'warning',
    isAdvice: false,
    title: 'endpoints get uneven shares',
    seen: 'the probabilities of a balancing chain do not give every endpoint the same share, or not that of the EndpointSlices',
    cause: 'An old endpoint is still listed beside new ones, or the chain was edited.',
    fix: commands.restart,
    refs: ['kubernetes/kubernetes#67875'],
  },
  K8N303: {
    severity: 'warning',
    isAdvice: false,
    title: 'one endpoint twice, or a dead rule',
    seen: 'two rules of a balancing chain lead to one address, or a rule follows one that always matches',
    cause: 'An address is in the slices twice, or a rule was added by hand.',
    fix: `See whether a slice has the address twice: \`kubectl -n NAMESPACE get endpointslices -l kubernetes.io/service-name=NAME -o yaml\`. ${commands.restart}`,
    refs: [],
  },
  K8N304: {
    severity: 'error',
    isAdvice: false,
    title: 'session affinity is not kept',
    seen: 'a Service with sessionAffinity ClientIP lacks the `recent` rules, has other seconds than it asks for, or has them without asking',
    cause: 'Rules are older than the Service’s setting, or kube-proxy is too old (it always wrote 180 s).',
    fix: commands.restart,
    refs: ['kubernetes/kubernetes#35677', 'kubernetes/kubernetes#55429'],
  },
  K8N305: {
    severity: 'warning',
    isAdvice: true,
    title: 'session affinity that cannot work as meant',
    seen: 'sessionAffinity ClientIP on a Service whose outside clients arrive masqueraded, or with several ports',
    cause:
      'Clients that are masqueraded on their way all look like one node; and each port of a Service keeps a list of its own, so that one client can land on two Pods.',
    fix: `Keep the clients’ addresses: \`kubectl -n NAMESPACE patch service NAME -p '{"spec":{"externalTrafficPolicy":"Local"}}'\`; nodes without an endpoint then drop this traffic. For one list of clients, give each Service one port.`,
    refs: ['kubernetes/kubernetes#103000', 'kubernetes/kubernetes#110302'],
  },
  K8N306: {
    severity: 'info',
    isAdvice: true,
    title: 'only terminating endpoints are left',
    seen: 'every endpoint in use is terminating and still serves',
    cause: 'By design since 1.26: rather these than none.',
    fix: 'Nothing to do; new Pods take over when they are ready.',
    refs: ['KEP-1669'],
  },
  K8N307: {
    severity: 'info',
    isAdvice: true,
    title: 'topology hints are not used',
    seen: 'endpoints carry hints of zones, but the rules use all zones',
    cause: 'One endpoint without hint, a node without zone or a zone without endpoints switches hints off.',
    fix: 'See which endpoints lack a hint (`kubectl -n NAMESPACE get endpointslices -l kubernetes.io/service-name=NAME -o yaml`) and which nodes lack a zone (`kubectl get nodes -L topology.kubernetes.io/zone`).',
    refs: ['kubernetes/kubernetes#103888', 'kubernetes/kubernetes#101525'],
  },
  K8N308: {
    severity: 'error',
    isAdvice: false,
    title: 'an endpoint has a share of nothing',
    seen: 'a balancing chain names an endpoint, and no new connection ever gets to it: its probability is 0, or only clients that were there before are sent to it',
    cause: 'Rules were lost or edited, or are not in the order in which kube-proxy wrote them.',
    fix: commands.restart,
    refs: [],
  },
} as const satisfies Record<string, FindingEntry>;
