/** Two nodes, each with an address and a range of Pods of its own: n1, on which rules are looked at, and n2. */
export const twoNodes = `
apiVersion: v1
kind: Node
metadata: {name: n1}
spec: {podCIDRs: [10.244.1.0/24]}
status: {addresses: [{type: InternalIP, address: 192.168.7.1}]}
---
apiVersion: v1
kind: Node
metadata: {name: n2}
spec: {podCIDRs: [10.244.2.0/24]}
status: {addresses: [{type: InternalIP, address: 192.168.7.2}]}
`;

/** A Service with two ports, and an endpoint on each of them. */
export const webOnBoth = `---
apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec: {type: NodePort, clusterIP: 10.96.0.10, ports: [{name: http, port: 80, nodePort: 30080}, {name: metrics, port: 9090, nodePort: 30090}]}
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: web-1, namespace: shop, labels: {kubernetes.io/service-name: web}}
addressType: IPv4
endpoints: [{addresses: [10.244.1.10], nodeName: n1}, {addresses: [10.244.2.10], nodeName: n2}]
ports: [{name: http, protocol: TCP, port: 8080}, {name: metrics, protocol: TCP, port: 9090}]
`;
