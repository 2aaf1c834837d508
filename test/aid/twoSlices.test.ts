import assert from 'node:assert/strict';
import { it } from 'node:test';
import { stringify } from 'yaml';
import { runCli } from '../support/runCli.ts';

/** While the controller moves an endpoint, both slices have it. */
const metadata = { name: 'web', namespace: 'shop' };
const slice = (name: string, ...endpoints: readonly (readonly [address: string, ready: boolean])[]) => ({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { name, namespace: 'shop', labels: { 'kubernetes.io/service-name': 'web' } },
  addressType: 'IPv4',
  ports: [{ name: 'http', port: 8080 }],
  endpoints: endpoints.map(([address, ready]) => ({ addresses: [address], conditions: { ready } })),
});
const service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata,
  spec: { clusterIP: '10.96.0.10', ports: [{ name: 'http', port: 80, targetPort: 8080 }] },
};
const asked = (slices: readonly object[], ...words: readonly string[]) =>
  runCli([...words, '-f', '-', '-q'], { input: [service, ...slices].map((one) => stringify(one)).join('---\n') })
    .stdout;

it('an endpoint that two slices hold is counted once', () => {
  const moved = [
    slice('web-1', ['10.244.1.7', true], ['10.244.1.8', true]),
    slice('web-2', ['10.244.1.7', true], ['10.244.1.9', false]),
  ];
  assert.match(asked(moved, 'check-service', 'shop/web'), /^ +3 endpoints, 2 ready; 1 of 1 port has some$/m);
  const explained = asked(moved, 'explain', 'service', '--service', 'shop/web');
  assert.match(explained, /port http 80\/TCP to 8080: 10\.244\.1\.7:8080, 10\.244\.1\.8:8080$/m);
});

it('one that is ready in neither is named once', () => {
  const unready = [slice('web-1', ['10.244.1.7', false]), slice('web-2', ['10.244.1.7', false])];
  assert.match(asked(unready, 'check-service', 'shop/web'), /has 1 endpoint, and none is ready/);
});
