/** A number from 0 to below `end`, the same for the same seed. */
export type Random = (end: number) => number;

export function seededRandom(seed: number): Random {
  let state = seed * 2_654_435_761 + 1;
  return (end) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * end);
  };
}

export const nodeNames = ['n1', 'n2', 'n3', 'n4'] as const;

/** Nodes, Services with all that may depend on the node, and their EndpointSlices. */
export function randomCluster(random: Random): readonly object[] {
  const nodes = nodeNames.map((name, at) => ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { 'topology.kubernetes.io/zone': `z${at % 2}` } },
    spec: { podCIDRs: [`10.244.${at}.0/24`] },
    status: {
      addresses: [{ type: 'InternalIP', address: `192.168.7.${at + 1}` }],
      nodeInfo: { kubeletVersion: 'v1.36.3' },
    },
  }));
  const services = Array.from({ length: 3 + random(6) }, (_, at) => serviceWithSlice(random, at)).flat();
  return [...nodes, ...services];
}

function serviceWithSlice(random: Random, at: number): readonly object[] {
  const type = (['ClusterIP', 'NodePort', 'LoadBalancer'] as const)[random(3)] as string;
  const isOpen = type !== 'ClusterIP';
  const name = `s${at}`;
  const metadata = { name, namespace: 'shop' };
  const hasHints = random(3) === 0;
  const isLocal = isOpen && random(2) === 0;
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      ...metadata,
      ...(random(3) === 0 && { annotations: { 'service.kubernetes.io/topology-mode': 'Auto' } }),
    },
    spec: {
      type,
      clusterIP: `10.96.0.${at + 10}`,
      selector: { app: name },
      ...(random(3) === 0 && { internalTrafficPolicy: 'Local' }),
      ...(isLocal && { externalTrafficPolicy: 'Local' }),
      ...(isLocal && type === 'LoadBalancer' && { healthCheckNodePort: 32_000 + at }),
      ...(random(4) === 0 && { externalIPs: ['192.0.2.9'] }),
      ...(random(4) === 0 && { sessionAffinity: 'ClientIP' }),
      ...(type === 'LoadBalancer' && random(2) === 0 && { loadBalancerSourceRanges: ['192.168.7.2/32', '10.0.0.0/8'] }),
      ports: [{ name: 'http', port: 80, targetPort: 8080, protocol: 'TCP', ...(isOpen && { nodePort: 30_000 + at }) }],
    },
    ...(type === 'LoadBalancer' && { status: { loadBalancer: { ingress: [{ ip: `203.0.113.${at + 1}` }] } } }),
  };
  const endpoints = Array.from({ length: random(5) }, (_, index) => {
    const home = random(nodeNames.length);
    const isEnding = random(6) === 0;
    return {
      addresses: [`10.244.${home}.${at * 8 + index + 2}`],
      conditions: { ready: !isEnding && random(8) > 0, serving: true, terminating: isEnding },
      nodeName: nodeNames[home],
      zone: `z${home % 2}`,
      ...(hasHints && { hints: { forZones: [{ name: `z${random(2)}` }], forNodes: [{ name: nodeNames[random(4)] }] } }),
    };
  });
  const slice = {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { ...metadata, name: `${name}-1`, labels: { 'kubernetes.io/service-name': name } },
    addressType: 'IPv4',
    endpoints,
    ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
  };
  return [service, slice];
}
