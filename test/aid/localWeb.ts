/** A Service `shop/web` of type NodePort with the policy Local, and one EndpointSlice with endpoints on these nodes. */
export function localWeb(endpoints: readonly { readonly nodeName: string; readonly address: string }[]): object[] {
  const metadata = { name: 'web', namespace: 'shop' };
  return [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata,
      spec: {
        type: 'NodePort',
        externalTrafficPolicy: 'Local',
        clusterIP: '10.96.0.80',
        selector: { app: 'web' },
        ports: [{ name: 'http', port: 80, targetPort: 8080, nodePort: 30080 }],
      },
    },
    {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { ...metadata, labels: { 'kubernetes.io/service-name': 'web' } },
      addressType: 'IPv4',
      ports: [{ name: 'http', port: 8080 }],
      endpoints: endpoints.map(({ nodeName, address }) => ({ addresses: [address], nodeName })),
    },
  ];
}

/** A Node with this address. */
export function nodeAt(name: string, address: string): object {
  const metadata = { name };
  return { apiVersion: 'v1', kind: 'Node', metadata, status: { addresses: [{ type: 'InternalIP', address }] } };
}

/** A Pod of the namespace `shop` that runs and is ready, with the label `app`. */
export function readyPod(name: string, app: string, nodeName: string, podIP: string): object {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'shop', labels: { app } },
    spec: { nodeName, containers: [{ name: app }] },
    status: { phase: 'Running', podIP, conditions: [{ type: 'Ready', status: 'True' }] },
  };
}
