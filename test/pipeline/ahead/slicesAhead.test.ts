import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { columnsOf } from '../../../src/common/proxy/endpointColumns.ts';
import type { Diagnostic } from '../../../src/diagnostics/diagnostic.ts';
import type { Loaded } from '../../../src/load/loaded.ts';
import { compile, load, toFiles } from '../../../src/public/api.ts';
import { orThrow, told } from '../../../src/public/result.ts';
import type { EndpointSliceObject } from '../../../src/validate/kinds/manifests.ts';
import { hasEndpoints } from '../../../src/validate/shown/hasEndpoints.ts';
import { type SliceEndpoint, sliceEndpoints } from '../../../src/validate/shown/sliceEndpoints.ts';

const folder = mkdtempSync(join(tmpdir(), 'k8snet-ahead-'));
after(() => rmSync(folder, { recursive: true, force: true }));

type Slice = Record<string, unknown> & { metadata: Record<string, unknown>; endpoints?: unknown };

/** A slice of each shape that the API server takes; `at` chooses the shape, and makes names and addresses differ. */
function sliceOf(at: number): Slice {
  const address = (index: number) => `10.${at >> 8}.${at & 255}.${index + 1}`;
  const endpoint = (index: number): Record<string, unknown> => ({
    addresses: index === 3 && at % 10 === 0 ? [address(index), `10.200.${at & 255}.1`] : [address(index)],
    ...(index % 4 !== 1 && {
      conditions: { ready: index % 3 !== 0, ...(index % 3 === 0 && { serving: true, terminating: index > 3 }) },
    }),
    // A name like any other; endpoints without one have the same conditions.
    ...(index % 2 === 0 && { nodeName: index === 2 ? 'undefined' : `node-${index % 3}` }),
    ...(index % 5 === 0 && { hints: { forZones: [{ name: 'a' }, { name: `b${index}` }] } }),
    ...(index === 4 && {
      hints: { forNodes: [{ name: 'node-1' }] },
      hostname: 'pod-4',
      targetRef: { kind: 'Pod', name: 'pod-4' },
    }),
  });
  return {
    addressType: 'IPv4',
    apiVersion: 'discovery.k8s.io/v1',
    endpoints: at % 17 === 0 ? null : Array.from({ length: at % 9 }, (_, index) => endpoint(index)),
    kind: 'EndpointSlice',
    metadata: { name: `web-${at}-x`, namespace: 'shop', labels: { 'kubernetes.io/service-name': `web-${at >> 1}` } },
    ports:
      at % 13 === 0
        ? null
        : [
            { name: 'http', port: 8080, protocol: 'TCP' },
            { name: 'dns', port: at % 3 ? 53 : null, protocol: 'UDP' },
          ],
  };
}

function serviceOf(at: number): object {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: `web-${at}`, namespace: 'shop', annotations: { padding: 'ä€😀 },{"apiVersion" '.repeat(700) } },
    spec: {
      clusterIP: `10.96.${at >> 8}.${at & 255}`,
      type: 'NodePort',
      externalTrafficPolicy: at % 2 ? 'Local' : 'Cluster',
      ports: [
        { name: 'http', port: 80, nodePort: 30_000 + at },
        { name: 'dns', port: 53, protocol: 'UDP', nodePort: 31_000 + at },
      ],
    },
  };
}

const count = 300;
const node = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'node-1', labels: { 'topology.kubernetes.io/zone': 'a' } },
};
const slices = Array.from({ length: 2 * count }, (_, at) => sliceOf(at));
const services = Array.from({ length: count }, (_, at) => serviceOf(at));

/** What is wrong with a slice, or looks so; none of these may be put into columns unless nothing is said about it. */
const unsound: readonly ((slice: Slice) => unknown)[] = [
  (slice) => ({ ...slice, endpoints: [{ addresses: ['10.0.0.300'] }] }),
  (slice) => ({ ...slice, endpoints: [{ addresses: [] }] }),
  (slice) => ({ ...slice, endpoints: [{ addresses: ['10.0.0.1'], colour: 'red' }] }),
  (slice) => ({ ...slice, endpoints: [{ addresses: ['10.0.0.1'], nodeName: 'Node_1' }] }),
  (slice) => ({ ...slice, endpoints: 'none' }),
  (slice) => ({ ...slice, addressType: 'IPv6' }),
  (slice) => ({ ...slice, metadata: { ...slice.metadata, namespace: '' } }),
  (slice) => ({ ...slice, metadata: { ...slice.metadata, name: undefined } }),
  (slice) => ({ ...slice, metadata: { ...slice.metadata, labels: undefined } }),
  (slice) => ({
    ...slice,
    metadata: { ...slice.metadata, labels: { ...(slice.metadata.labels as object), 'a b': 'c' } },
  }),
  (slice) => ({ ...slice, metadata: slices[8]?.metadata }),
  (slice) => ({
    ...slice,
    ports: [
      { name: 'http', port: 8080 },
      { name: 'http', port: 8081 },
    ],
  }),
  (slice) => ({ ...slice, apiVersion: 'discovery.k8s.io/v1beta1' }),
  (slice) => ({ ...slice, kind: 'endpointslice' }),
  (slice) => ({ ...slice, metadata: { ...slice.metadata, creationTimestamp: null } }),
];

/** An empty namespace is none, and null is absent. */
const silent = new Set([unsound[6], unsound[14]]);

async function read(items: readonly unknown[], isAhead: boolean): Promise<Loaded & { said: Diagnostic[] }> {
  const file = join(folder, 'list.json');
  writeFileSync(file, JSON.stringify({ apiVersion: 'v1', items, kind: 'List' }, null, 2));
  const said: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic) => said.push(diagnostic);
  return { ...(await told(load([file], { onlyForRules: isAhead }), report)), said };
}

async function compiled(items: readonly unknown[], isAhead: boolean, minor: number) {
  const { objects, said } = await read(items, isAhead);
  const report = (diagnostic: Diagnostic) => said.push(diagnostic);
  const kubeVersion = { major: 1, minor, patch: 0 };
  const rules = await told(compile(objects, { node: 'node-1', kubeVersion }), report);
  if (rules === undefined) return { said, text: '' };
  const { printed } = await orThrow(toFiles(rules), report);
  return { said, text: printed.map(({ text }) => [...text()].join('')).join('') };
}

test('slices that are read ahead are the same slices', async () => {
  const items = [node, ...services, ...slices];
  const [ahead, plain] = [await read(items, true), await read(items, false)];
  assert.deepEqual(ahead.said, plain.said);
  let packed = 0;
  for (const [at, { value, kind, apiVersion, origin }] of ahead.objects.entries()) {
    const expected = plain.objects[at];
    assert.deepEqual(
      { kind, apiVersion, origin },
      { kind: expected?.kind, apiVersion: expected?.apiVersion, origin: expected?.origin },
    );
    if (columnsOf(value) === undefined) {
      assert.deepEqual(value, expected?.value);
      continue;
    }
    packed += 1;
    const { metadata, addressType, endpoints, ports } = value;
    const of = expected?.value;
    assert.deepEqual([metadata, addressType, ports], [of?.metadata, of?.addressType, of?.ports]);
    if (packed % 20 === 0) assert.deepEqual(endpoints, of?.endpoints);
    const whole = of as unknown as EndpointSliceObject;
    const fields = ({ addresses, conditions, nodeName, hints }: SliceEndpoint) => [
      addresses,
      conditions,
      nodeName,
      hints,
    ];
    assert.deepEqual(
      Array.from(sliceEndpoints(value as unknown as EndpointSliceObject), fields),
      Array.from(whole.endpoints ?? [], fields),
    );
    assert.equal(hasEndpoints(value as unknown as EndpointSliceObject), (whole.endpoints ?? []).length > 0);
  }
  const isSingle = ({ endpoints }: Slice) =>
    ((endpoints ?? []) as readonly { readonly addresses: readonly string[] }[]).every(
      ({ addresses }) => addresses.length === 1,
    );
  assert.equal(packed, slices.filter(isSingle).length);
});

test('they give the rules and messages that the other slices give', async () => {
  const items = [node, ...services, ...slices];
  for (const minor of [21, 30, 34]) {
    const [ahead, plain] = [await compiled(items, true, minor), await compiled(items, false, minor)];
    assert.ok(plain.text.length > 100_000);
    assert.deepEqual(ahead, plain);
  }
});

test('what is not sound gets the messages that it gets anyway', async () => {
  for (const [at, spoil] of unsound.entries()) {
    const mixed = slices.map((slice, index) => (index === 77 ? spoil(slice) : slice));
    const items = [node, ...services, ...mixed];
    const [ahead, plain] = [await compiled(items, true, 30), await compiled(items, false, 30)];
    assert.deepEqual(ahead, plain, `case ${at}`);
    // Some of the sound slices have a port without a number, which is a warning for 1.30.
    const hasProblem = plain.said.some(
      ({ severity, code }) => severity !== 'note' && code !== 'slice-port-without-number',
    );
    assert.equal(hasProblem, !silent.has(spoil), `case ${at}`);
  }
});
