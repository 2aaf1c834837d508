import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatKubeVersion } from '../../src/dialect/version.ts';
import { compileText } from '../support/compileText.ts';

const service = `apiVersion: v1
kind: Service
metadata: { name: web }
spec: { clusterIP: 10.96.0.10, ports: [{ port: 80 }] }
`;
const node = (info: string) => `---
apiVersion: v1
kind: Node
metadata: { name: n1 }
status: { nodeInfo: { ${info} } }
`;

describe('the version that is compiled for', () => {
  const versionOf = async (text: string, ...args: readonly string[]) => {
    const { compiled } = await compileText(text, ...args);
    return [formatKubeVersion(compiled.kubeVersion), compiled.isVersionKnown];
  };

  it('is the one that was asked for, then that of the Node, then the newest known', async () => {
    assert.deepEqual(await versionOf(service), ['1.37', false]);
    const both = node('kubeProxyVersion: v1.27.4+k3s1, kubeletVersion: v1.28.0');
    assert.deepEqual(await versionOf(service + both), ['1.27.4', true]);
    const kubelet = node('kubeProxyVersion: "", kubeletVersion: v1.33.6-eks-1');
    assert.deepEqual(await versionOf(service + kubelet), ['1.33.6', true]);
    assert.deepEqual(await versionOf(service + both, '--kube-version', '1.30'), ['1.30', true]);
    assert.deepEqual(await versionOf(service + node('kubeletVersion: unknown')), ['1.37', false]);
  });

  it('may be newer than the newest known, with one warning', async () => {
    const { diagnostics, compiled } = await compileText(service, '--kube-version', '1.38');
    assert.equal(diagnostics.filter(({ code }) => code === 'kube-version-newer').length, 1);
    const newest = await compileText(service);
    assert.deepEqual(compiled.dialect, newest.compiled.dialect);
  });
});
