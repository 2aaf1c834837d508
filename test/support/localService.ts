/**
 * A load balancer with source ranges and policy Local, whose only endpoint is not on the node n1: through 1.24 kube-proxy marks
 * there what the kubelet drops.
 */
export const localService = `
apiVersion: v1
kind: Node
metadata: { name: n1 }
status: { addresses: [{ type: InternalIP, address: 192.168.1.1 }] }
---
apiVersion: v1
kind: Service
metadata: { name: web, namespace: shop }
spec:
  type: LoadBalancer
  externalTrafficPolicy: Local
  clusterIP: 10.96.0.10
  loadBalancerSourceRanges: [198.51.100.0/24]
  ports: [{ port: 80, targetPort: 8080, nodePort: 30080 }]
status: { loadBalancer: { ingress: [{ ip: 203.0.113.50 }] } }
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: { name: web-1, namespace: shop, labels: { kubernetes.io/service-name: web } }
addressType: IPv4
ports: [{ name: "", port: 8080 }]
endpoints: [{ addresses: [10.244.2.3], nodeName: n2, conditions: { ready: true } }]
`;
