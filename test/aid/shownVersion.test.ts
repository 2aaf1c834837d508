import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { runCli } from '../support/runCli.ts';
import { localWeb, nodeAt } from './localWeb.ts';

/** The only endpoint goes away and still serves: kube-proxy uses it since 1.26. */
const folder = mkdtempSync(join(tmpdir(), 'k8snet-shown-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const objects = join(folder, 'cluster.json');
const going = { ready: false, serving: true, terminating: true };
const items = [
  nodeAt('n1', '192.0.2.1'),
  ...localWeb([{ nodeName: 'n1', address: '10.244.1.7' }]).map((object) => {
    const { endpoints } = object as { readonly endpoints?: readonly object[] };
    return endpoints ? { ...object, endpoints: endpoints.map((one) => ({ ...one, conditions: going })) } : object;
  }),
];
writeFileSync(objects, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));

const target = ['-f', objects, '--node', 'n1', '--family', 'ipv4'];

for (const [version, verdict] of [
  ['1.24', 'broken'],
  ['1.30', 'in-order'],
] as const) {
  it(`endpoints are used as the version that the node shows does: ${version}`, () => {
    const dump = join(folder, version);
    runCli([
      'compile',
      '-q',
      ...target,
      '--cluster-cidr',
      '10.244.0.0/16',
      '--kube-version',
      version,
      '--out-dir',
      dump,
    ]);
    for (const named of [[], ['--kube-version', version]]) {
      const { stdout } = runCli(['check-service', 'shop/web', ...target, ...named, dump, '-o', 'json']);
      assert.equal((JSON.parse(stdout) as { readonly verdict: string }).verdict, verdict, stdout);
    }
  });
}
