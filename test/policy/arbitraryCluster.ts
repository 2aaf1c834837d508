import fc from 'fast-check';
import type { Protocol } from '../../src/common/addresses/protocol.ts';

/** Ports that policies of such clusters ask for, and others. */
export const portsTried: readonly (readonly [Protocol, number])[] = [
  ['TCP', 80],
  ['TCP', 53],
  ['TCP', 82],
  ['UDP', 53],
  ['UDP', 81],
  ['SCTP', 80],
];

/** Small clusters in which random policies meet: few labels, ports and addresses, so that they often match. */
export const arbitraryCluster: fc.Arbitrary<readonly object[]> = fc
  .record({
    pods: fc.array(
      fc.record({
        namespace: fc.constantFrom('a', 'b', 'c'),
        labels: labels(),
        node: fc.constantFrom('n1', 'n2'),
        ports: fc.array(namedPort(), { maxLength: 2 }),
        families: fc.constantFrom('4', '46', '6'),
        isHostNetwork: fc.nat(9).map((number) => number === 0),
        phase: fc.nat(9).map((number) => (number === 0 ? 'Succeeded' : 'Running')),
      }),
      { minLength: 2, maxLength: 6 },
    ),
    policies: fc.array(arbitraryPolicy(), { maxLength: 4 }),
    wide: fc.array(arbitraryClusterPolicy(), { maxLength: 4 }),
    namespaceLabels: fc.tuple(labels(), labels()),
  })
  .map(({ pods, policies, wide, namespaceLabels }) => [
    node('n1', 1),
    node('n2', 2),
    { kind: 'Namespace', metadata: { name: 'a', labels: namespaceLabels[0] } },
    { kind: 'Namespace', metadata: { name: 'b', labels: namespaceLabels[1] } },
    ...pods.map((pod, at) => {
      const net = pod.node === 'n1' ? 1 : 2;
      const ips = [`10.${net}.0.${at + 1}`, `fd00:${net}::${at + 1}`];
      const own = pod.isHostNetwork ? [`192.168.60.${net}`, `fd00:60::${net}`] : ips;
      const podIPs = own.filter((ip) => pod.families.includes(ip.includes(':') ? '6' : '4')).map((ip) => ({ ip }));
      return {
        kind: 'Pod',
        metadata: { name: `p${at}`, namespace: pod.namespace, labels: pod.labels },
        spec: { nodeName: pod.node, hostNetwork: pod.isHostNetwork, containers: [{ name: 'c', ports: pod.ports }] },
        status: { phase: pod.phase, podIPs, podIP: podIPs[0]?.ip },
      };
    }),
    ...policies.map((policy, at) => ({ ...policy, metadata: { ...policy.metadata, name: `policy${at}` } })),
    ...wide.map((policy, at) => ({ ...policy, metadata: { name: `wide${at}` } })),
  ]);

export function arbitraryPolicy(): fc.Arbitrary<{
  readonly kind: string;
  readonly metadata: object;
  readonly spec: object;
}> {
  return fc
    .record({
      namespace: fc.constantFrom('a', 'b'),
      podSelector: selector(),
      policyTypes: fc.constantFrom([], ['Ingress'], ['Egress'], ['Ingress', 'Egress'], undefined),
      ingress: fc.option(fc.array(rule('from'), { maxLength: 2 }), { nil: undefined }),
      egress: fc.option(fc.array(rule('to'), { maxLength: 2 }), { nil: undefined }),
    })
    .map(({ namespace, ...spec }) => ({ kind: 'NetworkPolicy', metadata: { name: 'x', namespace }, spec }));
}

/** Of any kind and tier; few priorities, so that some are equal. */
function arbitraryClusterPolicy(): fc.Arbitrary<object> {
  const kinds = ['AdminNetworkPolicy', 'BaselineAdminNetworkPolicy', 'ClusterNetworkPolicy'] as const;
  return fc.constantFrom(...kinds, 'ClusterNetworkPolicy' as const).chain((kind) =>
    fc
      .record({
        tier: fc.constantFrom('Admin', 'Baseline'),
        priority: fc.nat(6),
        subject: podsOf(),
        ingress: fc.option(fc.array(clusterRule(kind, 'from'), { maxLength: 3 }), { nil: undefined }),
        egress: fc.option(fc.array(clusterRule(kind, 'to'), { maxLength: 3 }), { nil: undefined }),
      })
      .map((spec) => ({ kind, metadata: { name: 'x' }, spec })),
  );
}

function podsOf(): fc.Arbitrary<object> {
  return fc.oneof(
    fc.record({ namespaces: selector() }),
    fc.record({ pods: fc.record({ namespaceSelector: selector(), podSelector: selector() }) }),
  );
}

function clusterRule(kind: string, list: 'from' | 'to'): fc.Arbitrary<object> {
  const isNew = kind === 'ClusterNetworkPolicy';
  const accept = isNew ? 'Accept' : 'Allow';
  const actions = kind === 'BaselineAdminNetworkPolicy' ? [accept, 'Deny'] : [accept, 'Deny', 'Pass'];
  const networks = fc.constantFrom(
    ['0.0.0.0/0'],
    ['10.1.0.0/31', 'fd00:1::/64'],
    ['192.168.60.1/32', '::/0'],
    ['203.0.113.8/29'],
  );
  const peer =
    list === 'from' ? podsOf() : fc.oneof(podsOf(), fc.record({ networks }), fc.record({ nodes: selector() }));
  const named = fc.constantFrom('http', 'dns');
  const port: fc.Arbitrary<object> = isNew
    ? fc.oneof(
        fc.record({ destinationNamedPort: named }),
        fc.constantFrom('tcp', 'udp', 'sctp').chain((protocol) =>
          fc.record({
            [protocol]: fc.record({
              destinationPort: fc.constantFrom({ number: 53 }, { number: 80 }, { range: { start: 80, end: 82 } }),
            }),
          }),
        ),
      )
    : fc.oneof(
        fc.record({ namedPort: named }),
        fc.record({
          portNumber: fc.record({ protocol: fc.constantFrom('TCP', 'UDP', undefined), port: fc.constantFrom(53, 80) }),
        }),
        fc.constantFrom({ portRange: { start: 80, end: 82 } }, { portRange: { protocol: 'UDP', start: 82, end: 80 } }),
      );
  return fc.record({
    action: fc.constantFrom(...actions),
    [list]: fc.array(peer, { minLength: 1, maxLength: 2 }),
    [isNew ? 'protocols' : 'ports']: fc.option(fc.array(port, { minLength: 1, maxLength: 2 }), { nil: undefined }),
  });
}

function node(name: string, number: number): object {
  const addresses = [`192.168.60.${number}`, `fd00:60::${number}`].map((address) => ({ type: 'InternalIP', address }));
  return { kind: 'Node', metadata: { name, labels: { app: name === 'n1' ? 'x' : 'y' } }, status: { addresses } };
}

function labels(): fc.Arbitrary<Record<string, string>> {
  return fc.dictionary(fc.constantFrom('app', 'tier', 'constructor'), fc.constantFrom('', 'x', 'y'), {
    maxKeys: 2,
    noNullPrototype: true,
  });
}

function namedPort(): fc.Arbitrary<object> {
  return fc.record({
    name: fc.constantFrom('http', 'dns'),
    containerPort: fc.constantFrom(53, 80, 81),
    protocol: fc.constantFrom('TCP', 'UDP', undefined),
  });
}

function selector(): fc.Arbitrary<object> {
  return fc.record({
    matchLabels: fc.option(labels(), { nil: undefined }),
    matchExpressions: fc.array(
      fc.oneof(
        fc.record({
          key: fc.constantFrom('app', 'tier'),
          operator: fc.constantFrom('In', 'NotIn'),
          values: fc.array(fc.constantFrom('', 'x', 'y'), { minLength: 1, maxLength: 2 }),
        }),
        fc.record({ key: fc.constantFrom('app', 'tier'), operator: fc.constantFrom('Exists', 'DoesNotExist') }),
      ),
      { maxLength: 1 },
    ),
  });
}

function rule(list: 'from' | 'to'): fc.Arbitrary<object> {
  const ipBlock = fc.constantFrom(
    { cidr: '0.0.0.0/0' },
    { cidr: '::/0', except: ['fd00:1::/32'] },
    { cidr: '10.0.0.0/8', except: ['10.1.0.0/31', '10.1.0.1/32', '10.2.0.0/16'] },
    { cidr: '192.168.60.9/24' },
    { cidr: '203.0.113.0/24', except: ['203.0.113.8/29'] },
    { cidr: 'fd00:1::/64' },
  );
  const peer = fc.oneof(
    fc.record({ podSelector: selector() }),
    fc.record({ namespaceSelector: selector() }),
    fc.record({ namespaceSelector: selector(), podSelector: selector() }),
    fc.record({ ipBlock }),
  );
  const port = fc.oneof(
    fc.record({ protocol: fc.constantFrom('TCP', 'UDP', 'SCTP', undefined) }),
    fc.record({ protocol: fc.constantFrom('TCP', 'UDP', undefined), port: fc.constantFrom(53, 80, 81, 'http', 'dns') }),
    fc.record({ port: fc.constantFrom(53, 80), endPort: fc.constantFrom(80, 81) }),
  );
  return fc.record({
    [list]: fc.option(fc.array(peer, { maxLength: 3 }), { nil: undefined }),
    ports: fc.option(fc.array(port, { maxLength: 3 }), { nil: undefined }),
  });
}
