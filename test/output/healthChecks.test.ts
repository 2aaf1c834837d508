import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { compileCase, compileFiles } from '../support/compileCase.ts';

const folder = mkdtempSync(join(tmpdir(), 'k8snet-health-'));
after(() => rmSync(folder, { recursive: true }));

describe('the health check of a Service', () => {
  it('counts ready addresses of its slices, also at ports that the Service does not have', async () => {
    const { text } = await compileCase('live/health-check-of-other-port');
    assert.equal(text('health.txt'), 'IPv4 shop/web healthCheckNodePort=31000 localReadyEndpoints=1\n');
  });

  it('counts neither what is not ready nor what is elsewhere, and each address once', async () => {
    const file = join(folder, 'objects.yaml');
    writeFileSync(file, objects);
    const { text } = await compileFiles([file], ['--node', 'n1', '--mode', 'nftables']);
    assert.match(text('health.txt'), /localReadyEndpoints=1\n/);
  });
});

const objects = `apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec:
  type: LoadBalancer
  clusterIP: 10.96.0.10
  externalTrafficPolicy: Local
  healthCheckNodePort: 31000
  ports: [{name: http, port: 80, nodePort: 30080}]
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: web-1, namespace: shop, labels: {kubernetes.io/service-name: web}}
addressType: IPv4
ports: [{name: http, port: 8080, protocol: TCP}, {name: admin, port: 9090, protocol: TCP}]
endpoints:
- {addresses: [10.244.0.2], nodeName: n1}
- {addresses: [10.244.0.3], nodeName: n1, conditions: {ready: false}}
- {addresses: [10.244.1.2], nodeName: n2}
`;
