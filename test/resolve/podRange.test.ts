import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compileText } from '../support/compileText.ts';

describe('detectLocalMode NodeCIDR', () => {
  const node = (spec: string) => `
apiVersion: v1
kind: Node
metadata: { name: n1 }
spec: ${spec}
status: { addresses: [{ type: InternalIP, address: 192.168.10.1 }] }
---
apiVersion: v1
kind: Service
metadata: { name: web }
spec: { clusterIP: 10.96.0.10, ports: [{ port: 80 }] }
`;
  const codes = async (spec: string, ...args: readonly string[]) => {
    const { diagnostics } = await compileText(node(spec), '--node', 'n1', ...args);
    return diagnostics.map(({ code }) => code).filter((code) => code === 'node-without-pod-range');
  };

  it('needs a Pod range of the family of the node', async () => {
    const asked = ['--detect-local-mode', 'NodeCIDR'];
    assert.equal((await codes('{}', ...asked)).length, 1);
    assert.equal((await codes('{ podCIDRs: ["fd00:10::/64"] }', ...asked)).length, 1);
    assert.equal((await codes('{ podCIDRs: ["10.244.1.0/24"] }', ...asked)).length, 0);
    assert.equal((await codes('{ podCIDRs: ["fd00:10::/64", "10.244.1.0/24"] }', ...asked)).length, 0);
  });

  it('is the only mode that does', async () => {
    assert.equal((await codes('{}')).length, 0);
  });
});
