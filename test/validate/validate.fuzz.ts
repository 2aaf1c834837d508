import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Diagnostic } from '../../src/diagnostics/diagnostic.ts';
import type { SourceObject } from '../../src/load/sourceObject.ts';
import { validate } from '../../src/validate/validate.ts';
import { fuzzSeed } from '../support/fuzzSeed.ts';

const samples: readonly Readonly<Record<string, unknown>>[] = [
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web', labels: { app: 'web' } },
    spec: {
      type: 'LoadBalancer',
      clusterIP: '10.0.0.1',
      clusterIPs: ['10.0.0.1', 'fd00::1'],
      externalIPs: ['192.0.2.1'],
      loadBalancerSourceRanges: ['10.0.0.0/8'],
      ports: [
        { name: 'a', port: 80, nodePort: 30000 },
        { name: 'b', port: 81, targetPort: 'http' },
      ],
    },
    status: { loadBalancer: { ingress: [{ ip: '192.0.2.2' }] } },
  },
  {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: 'web-1', labels: { 'kubernetes.io/service-name': 'web' } },
    addressType: 'IPv4',
    endpoints: [{ addresses: ['10.1.0.1'], conditions: { ready: true }, hints: { forZones: [{ name: 'z' }] } }],
    ports: [{ name: 'a', port: 80 }],
  },
  {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: 'p' },
    spec: {
      podSelector: { matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] },
      ingress: [
        { from: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } }], ports: [{ port: 80, endPort: 90 }] },
      ],
    },
  },
  {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'a' },
    spec: { nodeName: 'n', containers: [{ ports: [{ name: 'a', containerPort: 80 }] }] },
    status: { podIP: '10.1.0.1', podIPs: [{ ip: '10.1.0.1' }] },
  },
  {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: { name: 'web' },
    subsets: [{ addresses: [{ ip: '10.1.0.1' }], ports: [{ port: 80 }] }],
  },
  {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'n' },
    spec: { podCIDRs: ['10.1.0.0/24'] },
    status: { addresses: [{ type: 'InternalIP', address: '192.0.2.1' }] },
  },
  {
    apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
    kind: 'KubeProxyConfiguration',
    mode: 'ipvs',
    clusterCIDR: '10.0.0.0/8,fd00::/48',
    ipvs: { syncPeriod: '30s', excludeCIDRs: ['10.0.0.0/8'] },
  },
];

const strange = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(
    null,
    '',
    -1,
    0,
    1.5,
    1e20,
    Number.NaN,
    [],
    {},
    [null],
    '::',
    '/',
    '0',
    '1.2.3.4/33',
    'a/b/c',
    '\u001b[31m',
    true,
  ),
);

test('one strange value in a sound object is taken or complained about at a place in the object', () => {
  fc.assert(
    fc.property(fc.constantFrom(...samples), fc.nat(), strange, (sample, at, value) => {
      const object = structuredClone(sample) as Record<string, unknown>;
      const holders = holdersIn(object);
      const [holder, key] = holders[at % holders.length] as [Record<string, unknown>, string];
      holder[key] = value;
      if (typeof object.kind !== 'string' || typeof object.apiVersion !== 'string') return;
      const diagnostics = judge([object]);
      for (const diagnostic of diagnostics) {
        assert.ok(diagnostic.message.length < 2000);
        assert.ok(diagnostic.at.length === 0 || diagnostic.at[0]?.file === 'fuzz.yaml');
      }
    }),
    { numRuns: 3000, seed: fuzzSeed },
  );
});

test('any tree under a known kind is judged without a crash', () => {
  const kinds = samples.map(({ kind, apiVersion }) => ({ kind, apiVersion }));
  fc.assert(
    fc.property(
      fc.constantFrom(...kinds),
      fc.dictionary(
        fc.constantFrom('metadata', 'spec', 'status', 'subsets', 'endpoints', 'ports', 'x'),
        fc.jsonValue(),
      ),
      (head, rest) => {
        judge([{ ...rest, ...head }]);
      },
    ),
    { numRuns: 1000, seed: fuzzSeed },
  );
});

function judge(values: readonly Record<string, unknown>[]): readonly Diagnostic[] {
  const objects = values.map((value, document): SourceObject => {
    const { kind, apiVersion } = value;
    return {
      kind: String(kind),
      apiVersion: String(apiVersion),
      value,
      origin: { file: 'fuzz.yaml', document, path: [] },
    };
  });
  const diagnostics: Diagnostic[] = [];
  const { manifests, config } = validate(objects, (diagnostic) => diagnostics.push(diagnostic));
  const kept = Object.values(manifests).reduce((count, list) => count + list.length, config ? 1 : 0);
  const hasErrors = diagnostics.some(({ severity }) => severity === 'error');
  assert.ok(!(hasErrors && kept > 0), 'an object with errors is not in the result');
  return diagnostics;
}

/** Every object and list in a tree with each of its keys. */
function holdersIn(tree: unknown): [Record<string, unknown>, string][] {
  if (typeof tree !== 'object' || tree === null) return [];
  const holder = tree as Record<string, unknown>;
  return Object.keys(holder).flatMap((key) => [
    [holder, key] as [Record<string, unknown>, string],
    ...holdersIn(holder[key]),
  ]);
}
