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
