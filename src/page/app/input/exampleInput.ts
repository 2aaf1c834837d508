import type { PageInput } from '../../pageInput.ts';

/** What a page without an input of its own begins with. */
export const exampleInput: PageInput = {
  manifests: [
    {
      name: 'shop.yaml',
      text: `apiVersion: v1
kind: Service
metadata: { name: web, namespace: shop }
spec:
  type: NodePort
  clusterIP: 10.96.0.10
  selector: { app: web }
  ports:
    - { name: http, port: 80, targetPort: 8080, nodePort: 30080 }
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: { name: web-1, namespace: shop, labels: { kubernetes.io/service-name: web } }
addressType: IPv4
ports: [{ name: http, port: 8080 }]
endpoints:
  - { addresses: [10.244.1.7], nodeName: n1, targetRef: { kind: Pod, namespace: shop, name: web-1 } }
  - { addresses: [10.244.2.9], nodeName: n2, targetRef: { kind: Pod, namespace: shop, name: web-2 } }
---
apiVersion: v1
kind: Node
metadata: { name: n1 }
spec: { podCIDR: 10.244.1.0/24 }
status: { addresses: [{ type: InternalIP, address: 192.168.0.1 }] }
---
apiVersion: v1
kind: Node
metadata: { name: n2 }
spec: { podCIDR: 10.244.2.0/24 }
status: { addresses: [{ type: InternalIP, address: 192.168.0.2 }] }
---
apiVersion: v1
kind: Pod
metadata: { name: web-1, namespace: shop, labels: { app: web } }
spec: { nodeName: n1, containers: [{ name: web, ports: [{ name: http, containerPort: 8080 }] }] }
status: { podIP: 10.244.1.7, podIPs: [{ ip: 10.244.1.7 }] }
---
apiVersion: v1
kind: Pod
metadata: { name: web-2, namespace: shop, labels: { app: web } }
spec: { nodeName: n2, containers: [{ name: web, ports: [{ name: http, containerPort: 8080 }] }] }
status: { podIP: 10.244.2.9, podIPs: [{ ip: 10.244.2.9 }] }
---
apiVersion: v1
kind: Namespace
metadata: { name: shop, labels: { kubernetes.io/metadata.name: shop } }
`,
    },
  ],
  dumps: [],
  settings: { node: 'n1', 'cluster-cidr': '10.244.0.0/16' },
};
