import fc from 'fast-check';

/** Addresses are few, so that Services meet: one external address, ranges that overlap, endpoints in two slices. */
const external4 = fc.constantFrom('198.51.100.9', '203.0.113.41', '203.0.113.42', '192.168.10.1');
const external6 = fc.constantFrom('2001:db8:100:0:0::1', '2001:db8::2');
const range = fc.constantFrom(
  ...['10.0.0.0/8', '10.1.0.0/16', '192.168.10.0/24', '0.0.0.0/0', '203.0.113.0/24', '198.51.100.7/32', '10.1.2.3/8'],
  ...['192.168.10.1/32', '010.0.0.0/8', 'fd00::/8', 'fd00:192:168:10::/64', '::/0', '2001:db8::/32'],
);
const policy = fc.constantFrom('Cluster', 'Local');
const percent = (likely: number) => fc.integer({ min: 0, max: 99 }).map((number) => number < likely);

const arbitraryEndpoint = fc.record({
  host: fc.constantFrom(1, 2, 3),
  isLocal: fc.boolean(),
  conditions: fc.constantFrom<object>({}, { ready: false }, { ready: false, serving: true, terminating: true }),
});

const arbitraryService = fc.record({
  type: fc.constantFrom('ClusterIP', 'NodePort', 'LoadBalancer'),
  families: fc.constantFrom(['IPv4'], ['IPv6'], ['IPv4', 'IPv6'], ['IPv6', 'IPv4']),
  second: fc.constantFrom(undefined, 'UDP', 'SCTP'),
  externalIPs: fc.uniqueArray(fc.oneof(external4, external6), { maxLength: 2 }),
  ingress: fc.uniqueArray(fc.oneof(external4, external6), { minLength: 1, maxLength: 3 }),
  ranges: fc.uniqueArray(range, { maxLength: 4 }),
  externalPolicy: policy,
  internalPolicy: policy,
  affinity: fc.option(fc.constantFrom(1, 90, 3600, 86_400), { nil: undefined, freq: 3 }),
  slices: fc.array(fc.array(arbitraryEndpoint, { maxLength: 3 }), { maxLength: 2 }),
  hasProxyMode: percent(15),
});

type ServiceParts = typeof arbitraryService extends fc.Arbitrary<infer T> ? T : never;

/** Services with their slices, and the Node: what a manifest file may hold. */
export const arbitraryServices: fc.Arbitrary<readonly object[]> = fc
  .tuple(fc.array(arbitraryService, { minLength: 1, maxLength: 5 }), percent(50))
  .map(([services, isDual]) => [node(isDual), ...services.flatMap(objectsOf)]);

function node(isDual: boolean): object {
  const addresses = [{ type: 'InternalIP', address: '192.168.10.1' }];
  if (isDual) addresses.push({ type: 'InternalIP', address: 'fd00:192:168:10::1' });
  return { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' }, status: { addresses } };
}

function objectsOf(parts: ServiceParts, index: number): readonly object[] {
  const { families, slices } = parts;
  return [
    service(parts, index),
    ...families.flatMap((family) => slices.map((endpoints, at) => slice(parts, index, family, endpoints, at))),
  ];
}

function portsOf({ type, second }: ServiceParts, index: number) {
  const ports = [
    { name: 'a', port: 80, protocol: 'TCP' },
    ...(second === undefined ? [] : [{ name: 'b', port: 53, protocol: second }]),
  ];
  return ports.map((port, at) => (type === 'ClusterIP' ? port : { ...port, nodePort: 30_000 + index * 10 + at }));
}

function service(parts: ServiceParts, index: number): object {
  const { type, families, externalIPs, ingress, ranges, externalPolicy, affinity } = parts;
  const clusterIPs = families.map((family) =>
    family === 'IPv4' ? `10.96.0.${index + 1}` : `fd00:10:96::${index + 1}`,
  );
  const isExternal = type !== 'ClusterIP' || externalIPs.length > 0;
  const isBalanced = type === 'LoadBalancer';
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: `s${index}`, namespace: 'n' },
    spec: {
      type,
      clusterIP: clusterIPs[0],
      clusterIPs,
      ipFamilies: families,
      ipFamilyPolicy: families.length > 1 ? 'RequireDualStack' : 'SingleStack',
      ports: portsOf(parts, index),
      internalTrafficPolicy: parts.internalPolicy,
      ...(externalIPs.length > 0 && { externalIPs }),
      ...(isExternal && { externalTrafficPolicy: externalPolicy }),
      ...(isBalanced && ranges.length > 0 && { loadBalancerSourceRanges: ranges }),
      ...(isBalanced && externalPolicy === 'Local' && { healthCheckNodePort: 32_000 + index }),
      ...(affinity !== undefined && {
        sessionAffinity: 'ClientIP',
        sessionAffinityConfig: { clientIP: { timeoutSeconds: affinity } },
      }),
    },
    ...(isBalanced && {
      status: {
        loadBalancer: { ingress: ingress.map((ip) => (parts.hasProxyMode ? { ip, ipMode: 'Proxy' } : { ip })) },
      },
    }),
  };
}

function slice(
  parts: ServiceParts,
  index: number,
  family: string,
  endpoints: ServiceParts['slices'][number],
  at: number,
): object {
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      name: `s${index}-${family.toLowerCase()}-${at}`,
      namespace: 'n',
      labels: { 'kubernetes.io/service-name': `s${index}` },
    },
    addressType: family,
    ports: portsOf(parts, index).map(({ name, protocol }) => ({ name, protocol, port: 8080 })),
    endpoints: endpoints.map(({ host, isLocal, conditions }) => ({
      addresses: [family === 'IPv4' ? `10.244.0.${host}` : `fd00:10:244:0::${host}`],
      nodeName: isLocal ? 'n1' : 'n2',
      conditions,
    })),
  };
}
