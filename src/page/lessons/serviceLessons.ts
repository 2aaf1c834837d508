import { firstState } from '../app/pageState.ts';
import { asked, type Lesson, lessonState } from './lesson.ts';

/** How a Service gets its packets to Pods. */
export const serviceLessons: readonly Lesson[] = [
  {
    id: 'cluster-ip',
    title: 'A cluster IP belongs to no machine',
    text: [
      'No interface has the address 10.96.0.10. Each node has rules that replace it by the address of a Pod before the packet is routed: destination NAT, in the hook prerouting.',
      'Press Next until the step says “dnat”. There the destination changes; the answer is translated back without a rule, because the kernel remembers the connection.',
    ],
    shows: 'dnat 10.244.1.7:8080',
    state: lessonState({}, asked('shop/client', 'shop/web:http')),
  },
  {
    id: 'balancing',
    title: 'Chance chooses the Pod',
    text: [
      'kube-proxy does not watch how busy Pods are. With two endpoints the first rule takes half of the connections by chance, and the second takes the rest. With three, the first takes a third, the next one half of what is left.',
      'Connections are shared, not packets: all packets of one connection go to the same Pod.',
    ],
    shows: '1/2 to 10.244.1.7:8080',
    state: lessonState({}, { view: 'map', service: '' }),
  },
  {
    id: 'probability',
    title: 'The rules that share connections',
    text: [
      'The chain KUBE-SVC-… has one rule for each endpoint. Put the cursor on a line with “--probability”: the sentence below says which share of the connections the rule takes, and the endpoint lights up in the EndpointSlice.',
    ],
    shows: '--probability 0.5',
    state: lessonState({}, { view: 'rules', variant: { ...firstState.variant, mode: 'iptables' }, other: undefined }),
  },
  {
    id: 'node-port',
    title: 'A node port opens every node',
    text: [
      'A Service of type NodePort answers on port 30080 of each node, also where none of its Pods runs. The packet comes from outside, gets a Pod as its destination, and the node’s address as its source.',
    ],
    shows: 'masquerade 192.168.0.1',
    state: lessonState({ spec: '  type: NodePort\n' }, asked('outside', 'node:30080')),
  },
  {
    id: 'masquerade',
    title: 'Why the source changes',
    topic: 'masquerade',
    text: [
      'Here the packet is marked first (0x4000) and masqueraded in postrouting.',
      'The Pod does not see the client’s address. Pods of the cluster keep theirs when they ask for a cluster IP, because their answers come back here anyway.',
    ],
    shows: 'mark 0x4000',
    state: lessonState({}, asked('outside', '10.96.0.10:80')),
  },
  {
    id: 'policy-local',
    title: 'externalTrafficPolicy: Local keeps the client’s address',
    topic: 'external-traffic-policy',
    text: [
      'The packet goes to no other node, so nothing needs to be masqueraded, and the Pod sees who asks.',
      'Compare the source at the end with that of the lesson before.',
    ],
    shows: '203.0.113.1 → 10.244.1.7:8080',
    state: lessonState({ spec: '  type: NodePort\n  externalTrafficPolicy: Local\n' }, asked('outside', 'node:30080')),
  },
  {
    id: 'policy-local-empty',
    title: 'Local, and no Pod on this node',
    text: [
      'The only Pod runs on n2. On n1 the node port drops the packet instead of sending it on: a load balancer finds out by the health-check port and asks another node.',
    ],
    shows: 'dropped',
    state: lessonState(
      { spec: '  type: NodePort\n  externalTrafficPolicy: Local\n', endpoints: 'elsewhere' },
      asked('outside', 'node:30080'),
    ),
  },
  {
    id: 'affinity',
    title: 'Session affinity: the same Pod again',
    text: [
      'With sessionAffinity ClientIP the node remembers which Pod served a client, for three hours by default. In iptables mode it is a list of the module “recent”: the rules with “--rcheck” stand before those that draw by chance.',
      'Each node has its own memory: through another node the client may get another Pod.',
    ],
    shows: '--rcheck --seconds 10800',
    state: lessonState(
      { spec: '  sessionAffinity: ClientIP\n' },
      { view: 'rules', variant: { ...firstState.variant, mode: 'iptables' }, other: undefined },
    ),
  },
  {
    id: 'hairpin',
    title: 'A Pod that asks for its own Service',
    topic: 'hairpin',
    text: [
      'Here web-1 asks for shop/web and, in one of two cases, is sent to itself. The step “jump KUBE-MARK-MASQ” marks the packet for it.',
    ],
    shows: 'jump KUBE-MARK-MASQ',
    state: lessonState({}, asked('shop/web-1', 'shop/web:http')),
  },
  {
    id: 'no-endpoints',
    title: 'A Service without endpoints refuses',
    text: [
      'No Pod is ready, so kube-proxy writes a rule that rejects at once. A client sees “connection refused” and does not have to wait for a timeout.',
      'A Service that does not answer at all has another fault: look at the policies and at the Pod itself.',
    ],
    shows: 'rejected',
    state: lessonState({ endpoints: 'none' }, asked('shop/client', 'shop/web:http')),
  },
  {
    id: 'source-ranges',
    title: 'Who may use a load balancer',
    text: [
      'loadBalancerSourceRanges limits who may come by the load balancer’s address. The rules drop everybody else on the node; cluster IP and node port stay open.',
    ],
    shows: 'only 198.51.100.0/24',
    state: lessonState(
      {
        spec: '  type: LoadBalancer\n  loadBalancerSourceRanges: [198.51.100.0/24]\n',
        balancer: '203.0.113.80',
      },
      { view: 'map', service: '' },
    ),
  },
];
