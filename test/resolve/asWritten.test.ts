import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compileText } from '../support/compileText.ts';

describe('an empty namespace', () => {
  const objects = `
apiVersion: v1
kind: Service
metadata: { name: web, namespace: "" }
spec: { clusterIP: 10.96.0.10, ports: [{ port: 80 }] }
---
apiVersion: v1
kind: Endpoints
metadata: { name: web }
subsets: [{ addresses: [{ ip: 10.244.0.5 }], ports: [{ port: 80 }] }]
`;

  it('is the namespace default, with what is in it', async () => {
    for (const text of [objects, objects.replace('name: web }', 'name: web, namespace: "" }')]) {
      const { compiled } = await compileText(text);
      const [port] = compiled.model.servicePorts;
      assert.equal(port?.namespace, 'default');
      assert.deepEqual(
        port.endpoints.map(({ address }) => address),
        ['10.244.0.5:80'],
      );
    }
  });
});

describe('the range that tells Pods', () => {
  const objects = `
apiVersion: v1
kind: Node
metadata: { name: n1 }
spec: { podCIDRs: ["10.244.1.7/24", "fd00:10:244:0::/64"] }
---
apiVersion: v1
kind: Service
metadata: { name: web }
spec:
  clusterIP: 10.96.0.10
  clusterIPs: [10.96.0.10, "fd02::a"]
  ipFamilyPolicy: RequireDualStack
  ports: [{ port: 80 }]
`;
  const ranges = async (...args: readonly string[]) => {
    const { compiled } = await compileText(objects, ...args);
    return compiled.plans.map(({ node: { localDetector } }) => localDetector?.kind === 'cidr' && localDetector.cidr);
  };
  const written = ['10.244.1.7/24', 'fd00:10:244:0::/64'];
  const masked = ['10.244.1.0/24', 'fd00:10:244::/64'];

  it('is written as the Node has it through 1.29', async () => {
    const mode = ['--detect-local-mode', 'NodeCIDR', '--kube-version'];
    assert.deepEqual(await ranges(...mode, '1.22'), written);
    assert.deepEqual(await ranges(...mode, '1.29'), written);
    assert.deepEqual(await ranges(...mode, '1.30'), masked);
  });

  it('is written as clusterCIDR has it through 1.29', async () => {
    const given = ['--cluster-cidr', written.join(','), '--kube-version'];
    assert.deepEqual(await ranges(...given, '1.29'), written);
    assert.deepEqual(await ranges(...given, '1.30'), masked);
  });
});
