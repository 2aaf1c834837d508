/** The cluster of the lessons: two nodes, a client, and a Service `shop/web` with one Pod on each node. */
export interface LessonCluster {
  /** More lines of the Service's spec. */
  readonly spec?: string;
  /** Whether its Pods are ready; `elsewhere`: only that of the other node is there. */
  readonly endpoints?: 'both' | 'none' | 'elsewhere';
  /** Address of its load balancer. */
  readonly balancer?: string;
  /** Further documents. */
  readonly more?: string;
}

export function lessonCluster({ spec = '', endpoints = 'both', balancer, more = '' }: LessonCluster): string {
  const pods = endpoints === 'both' ? [...web1, ...web2] : endpoints === 'elsewhere' ? web2 : [];
  const documents = [
    service(spec, balancer),
    slice(endpoints),
    ...nodes,
    ...pods,
    client,
    namespace,
    ...(more === '' ? [] : [more]),
  ];
  return documents.join('---\n');
}

function service(spec: string, balancer: string | undefined): string {
  const status = balancer === undefined ? '' : `status: { loadBalancer: { ingress: [{ ip: ${balancer} }] } }\n`;
  return `apiVersion: v1
kind: Service
metadata: { name: web, namespace: shop }
spec:
${spec}  clusterIP: 10.96.0.10
  selector: { app: web }
  ports:
    - { name: http, port: 80, targetPort: 8080${/type: (?:NodePort|LoadBalancer)/.test(spec) ? ', nodePort: 30080' : ''} }
${status}`;
}

function slice(endpoints: NonNullable<LessonCluster['endpoints']>): string {
  const one = (ip: string, node: string, pod: string) =>
    `  - { addresses: [${ip}], nodeName: ${node}, conditions: { ready: true }, targetRef: { kind: Pod, namespace: shop, name: ${pod} } }\n`;
  const lines = {
    both: one('10.244.1.7', 'n1', 'web-1') + one('10.244.2.9', 'n2', 'web-2'),
    elsewhere: one('10.244.2.9', 'n2', 'web-2'),
    none: '',
  }[endpoints];
  return `apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: { name: web-1, namespace: shop, labels: { kubernetes.io/service-name: web } }
addressType: IPv4
ports: [{ name: http, port: 8080 }]
endpoints:${lines === '' ? ' []\n' : `\n${lines}`}`;
}

export function lessonPod(name: string, namespaceName: string, app: string, node: string, ip: string): string {
  return `apiVersion: v1
kind: Pod
metadata: { name: ${name}, namespace: ${namespaceName}, labels: { app: ${app} } }
spec: { nodeName: ${node}, containers: [{ name: ${app}, ports: [{ name: http, containerPort: 8080 }] }] }
status: { podIP: ${ip}, podIPs: [{ ip: ${ip} }] }
`;
}

const web1 = [lessonPod('web-1', 'shop', 'web', 'n1', '10.244.1.7')];
const web2 = [lessonPod('web-2', 'shop', 'web', 'n2', '10.244.2.9')];
const client = lessonPod('client', 'shop', 'client', 'n1', '10.244.1.20');

const nodes = [1, 2].map(
  (number) => `apiVersion: v1
kind: Node
metadata: { name: n${number} }
spec: { podCIDR: 10.244.${number}.0/24 }
status: { addresses: [{ type: InternalIP, address: 192.168.0.${number} }] }
`,
);

const namespace = `apiVersion: v1
kind: Namespace
metadata: { name: shop, labels: { kubernetes.io/metadata.name: shop } }
`;
