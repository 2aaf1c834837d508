import { firstState } from '../app/pageState.ts';
import { asked, type Lesson, lessonState } from './lesson.ts';
import { lessonPod } from './lessonCluster.ts';
import { serviceLessons } from './serviceLessons.ts';

const { variant } = firstState;

const modeLessons: readonly Lesson[] = [
  {
    id: 'ipvs',
    title: 'IPVS: a load balancer inside of the kernel',
    topic: 'ipvs',
    text: [
      'Every cluster IP stands on the interface kube-ipvs0, so that the packets are taken in by the node.',
      'iptables still marks and masquerades, but asks sets (KUBE-CLUSTER-IP): the number of rules does not grow with the number of Services.',
    ],
    shows: '-A -t 10.96.0.10:80 -s rr',
    state: lessonState({}, { view: 'rules', variant: { ...variant, mode: 'ipvs' }, other: undefined }),
  },
  {
    id: 'nftables',
    title: 'nftables: one table, and maps',
    topic: 'nftables',
    text: [
      'iptables mode tries one rule after the other.',
      'On the right stand the rules of iptables mode for the same Service.',
    ],
    shows: 'map service-ips {',
    state: lessonState(
      {},
      { view: 'rules', variant: { ...variant, mode: 'nftables' }, other: { ...variant, mode: 'iptables' } },
    ),
  },
  {
    id: 'versions',
    title: 'Versions write different rules',
    text: [
      'Both sides show iptables mode, on the left as kube-proxy 1.23 writes it, on the right as 1.30 does. What only one side has is marked: since 1.24 all external addresses of a Service share the chain KUBE-EXT-….',
    ],
    shows: '-j KUBE-EXT-',
    state: lessonState(
      { spec: '  type: NodePort\n' },
      {
        view: 'rules',
        variant: { ...variant, mode: 'iptables', version: '1.23' },
        other: { ...variant, mode: 'iptables', version: '1.30' },
      },
    ),
  },
];

const clusterLessons: readonly Lesson[] = [
  {
    id: 'dns',
    title: 'From a name to a Pod',
    topic: 'dns',
    text: [
      'Here a client asks for web.shop.svc.cluster.local. The question itself goes to a Service, kube-dns, whose cluster IP stands in each Pod’s resolv.conf. This is its way, over UDP; the answer names the cluster IP of shop/web.',
      'So each connection to a name goes through the rules twice, and a node whose rules are wrong often shows it as a name that cannot be resolved.',
    ],
    shows: 'dnat 10.244.2.53:53',
    state: lessonState({ more: kubeDns() }, asked('shop/client', 'kube-system/kube-dns:dns', 'udp')),
  },
  {
    id: 'default-deny',
    title: 'Default deny',
    topic: 'network-policy',
    text: [
      'This policy selects every Pod of the namespace and allows nothing, so it closes them.',
      'Choose a cell to see which policy decides.',
    ],
    shows: 'none',
    state: lessonState({ more: policy('deny-all', '{}', '') }, { view: 'policies', policies: firstState.policies }),
  },
  {
    id: 'allow',
    title: 'Allow one client',
    text: [
      'Policies only add up: the second one lets Pods with app=client reach app=web on port 8080. It concerns the Pod behind the Service: policies know no cluster IPs, so the port is that of the Pod (8080), not that of the Service (80).',
    ],
    shows: '8080/tcp',
    state: lessonState(
      {
        more: `${policy('deny-all', '{}', '')}---\n${policy(
          'web-from-client',
          '{ matchLabels: { app: web } }',
          `  ingress:
    - from: [{ podSelector: { matchLabels: { app: client } } }]
      ports: [{ port: 8080 }]
`,
        )}`,
      },
      {
        view: 'policies',
        policies: firstState.policies,
        cell: { from: 'shop/client', to: 'shop/web-1', port: '8080/tcp' },
      },
    ),
  },
  {
    id: 'selector',
    title: 'A selector that matches nothing',
    text: [
      'The API server takes a Service whose selector matches no Pod, and the Service then refuses everything. “Findings” says so before anything is applied, with the line and with the labels that Pods do have.',
    ],
    shows: 'no Pod or workload of namespace shop',
    state: lessonState(
      {
        more: `apiVersion: v1
kind: Service
metadata: { name: cart, namespace: shop }
spec:
  clusterIP: 10.96.0.30
  selector: { app: web, tier: front }
  ports: [{ port: 80, targetPort: 8080 }]
`,
      },
      { view: 'findings' },
    ),
  },
];

function policy(name: string, selector: string, rules: string): string {
  return `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: { name: ${name}, namespace: shop }
spec:
  podSelector: ${selector}
  policyTypes: [Ingress]
${rules}`;
}

function kubeDns(): string {
  return `apiVersion: v1
kind: Service
metadata: { name: kube-dns, namespace: kube-system }
spec:
  clusterIP: 10.96.0.53
  selector: { app: dns }
  ports: [{ name: dns, port: 53, protocol: UDP }]
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: { name: kube-dns-1, namespace: kube-system, labels: { kubernetes.io/service-name: kube-dns } }
addressType: IPv4
ports: [{ name: dns, port: 53, protocol: UDP }]
endpoints:
  - { addresses: [10.244.2.53], nodeName: n2, targetRef: { kind: Pod, namespace: kube-system, name: dns-1 } }
---
${lessonPod('dns-1', 'kube-system', 'dns', 'n2', '10.244.2.53')}`;
}

/** All lessons, in the order in which somebody new takes them. */
export const lessons: readonly Lesson[] = [...serviceLessons, ...modeLessons, ...clusterLessons];
