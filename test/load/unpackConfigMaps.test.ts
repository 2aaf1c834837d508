import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Diagnostic } from '../../src/diagnostics/diagnostic.ts';
import { load } from '../../src/load/files/load.ts';
import { unpackConfigMaps } from '../../src/load/unpackConfigMaps.ts';
import { root } from '../support/compileCase.ts';
import { runCli } from '../support/runCli.ts';

/** As kubeadm keeps it, with the nulls of a configuration that was never edited. */
const file = join(root, 'fixtures/config-map/kube-proxy.json');
const recorded = readFileSync(file, 'utf8');

async function unpacked(text: string) {
  const diagnostics: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic) => diagnostics.push(diagnostic);
  const { objects } = await load(['-'], { recursive: false, stdin: () => text }, report);
  return { objects: await unpackConfigMaps(objects, report), diagnostics };
}

describe('the ConfigMap of kube-proxy', () => {
  it('gives the KubeProxyConfiguration in it, and says so', async () => {
    const { objects, diagnostics } = await unpacked(recorded);
    assert.deepEqual(
      objects.map(({ kind, origin }) => [kind, origin.path]),
      [['KubeProxyConfiguration', ['data', 'config.conf']]],
    );
    assert.equal(objects[0]?.value.clusterCIDR, '10.244.0.0/16');
    assert.deepEqual(
      diagnostics.map(({ code }) => code),
      ['proxy-config-map'],
    );
  });

  it('knows it as JSON on one line', async () => {
    const map = JSON.parse(recorded) as { data: Record<string, string> };
    const config = {
      apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
      kind: 'KubeProxyConfiguration',
      clusterCIDR: '10.9.0.0/16',
    };
    map.data['config.conf'] = JSON.stringify(config);
    const { objects } = await unpacked(JSON.stringify(map));
    assert.equal(objects[0]?.value.clusterCIDR, '10.9.0.0/16');
  });

  it('points at the text in which something is wrong', async () => {
    const broken = JSON.parse(recorded) as { data: Record<string, string> };
    broken.data['config.conf'] = 'kind: KubeProxyConfiguration\n  a: [\n';
    const { objects, diagnostics } = await unpacked(JSON.stringify(broken));
    assert.deepEqual(objects, []);
    assert.ok(diagnostics.length > 0);
    for (const { severity, at } of diagnostics) {
      assert.equal(severity, 'error');
      assert.deepEqual(at[0]?.path, ['data', 'config.conf']);
    }
  });

  it('leaves other ConfigMaps alone', async () => {
    const other = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"x":"kind: Config"}}';
    const { objects, diagnostics } = await unpacked(other);
    assert.deepEqual(
      objects.map(({ kind }) => kind),
      ['ConfigMap'],
    );
    assert.deepEqual(diagnostics, []);
  });

  it('is taken by --config, and among manifests', () => {
    const manifests = join(root, 'fixtures/readme/shop.yaml');
    const compile = (...args: readonly string[]) => runCli(['compile', '-q', '-f', manifests, ...args]);
    const plain = compile('--cluster-cidr', '10.244.0.0/16');
    assert.match(plain.stdout, /! -s 10\.244\.0\.0\/16/);
    for (const args of [
      ['--config', file],
      ['-f', file],
    ]) {
      const { stdout, status } = compile(...args);
      assert.equal(status, 0);
      assert.equal(stdout, plain.stdout);
    }
  });
});
