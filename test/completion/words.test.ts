import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { runCli, runProcess } from '../support/runCli.ts';

const folder = mkdtempSync(join(tmpdir(), 'k8snet-completion-'));
after(() => rmSync(folder, { recursive: true }));

const manifests = 'fixtures/page/shop.yaml';
const dump = join(folder, 'n1.save');
writeFileSync(
  dump,
  runCli(['compile', '-q', '-f', manifests, '--node', 'n1', '--cluster-cidr', '10.244.0.0/16']).stdout,
);

/** What is offered behind words, the last of them half written, and the number that says what else the shell may add. */
function offered(...words: readonly string[]): { readonly values: readonly string[]; readonly directive: number } {
  const { status, stdout, stderr } = runCli(['__complete', '--for=fish', ...words]);
  assert.equal(status, 0);
  assert.equal(stderr, '');
  const lines = stdout.trimEnd().split('\n');
  const directive = /^:(\d+)$/.exec(lines.pop() ?? '')?.[1];
  assert.ok(directive !== undefined, stdout);
  return { values: lines.map((line) => line.split('\t')[0] ?? ''), directive: Number(directive) };
}

/** Files are not to be offered. */
const noFiles = 4;

describe('completion', () => {
  for (const [words, some, none] of [
    [['com'], ['compile', 'completion'], ['diff']],
    [['emit', ''], ['dns', 'lb'], ['compile']],
    [['compile', '--mod'], ['--mode'], ['--node']],
    [['compile', '--mode', ''], ['iptables', 'ipvs', 'nftables'], ['n1']],
    [['compile', '--mode=nf'], ['--mode=nftables'], ['--mode=ipvs']],
    [['compile', '--kube-version', '1.3'], ['1.30', '1.37'], ['1.22']],
    [['explain', 'K8N20'], ['K8N201', 'K8N203'], ['K8N101']],
    [['compile', '-f', manifests, '--service', ''], ['shop/web', 'shop/web:http'], []],
    [['compile', '-f', manifests, '--node', ''], ['n1', 'n2'], []],
    [['compile', `-f${manifests}`, '--node', ''], ['n1', 'n2'], []],
    [['why', '-f', manifests, '--from', 'shop/'], ['shop/client', 'shop/web-1'], ['shop/nobody']],
    [['why', '-f', manifests, '--to', 'shop/'], ['shop/web:http', 'shop/web-1:8080'], ['shop/client']],
    [['trace', dump, '--choose', 'KUBE-S'], ['KUBE-SVC-67NZLRHBNDSAWJRO'], ['KUBE-MARK-MASQ']],
    [['policy', 'test', '-f', manifests, '--from', 'shop/c'], ['shop/client'], ['shop/web-1']],
  ] as const) {
    it(words.join(' '), () => {
      const { values, directive } = offered(...words);
      for (const value of some) assert.ok(values.includes(value), `${value} in ${values.join(' ')}`);
      for (const value of none) assert.ok(!values.includes(value), `${value} not in ${values.join(' ')}`);
      assert.equal(directive & noFiles, noFiles);
    });
  }

  it('asks the cluster for names with --live, as the line says which and as whom, and never without', () => {
    const asked = join(folder, 'asked');
    writeFileSync(
      join(folder, 'kubectl'),
      `#!/bin/sh
echo "$*" >> '${asked}'
case "$*" in
*/api/v1/nodes*) echo '{"items":[{"metadata":{"name":"n1"}},{"metadata":{"name":"n2"}}]}' ;;
*/services*) echo '{"items":[{"metadata":{"name":"web","namespace":"shop"},"spec":{"ports":[{"port":80}]}}]}' ;;
*) exit 1 ;;
esac
`,
    );
    chmodSync(join(folder, 'kubectl'), 0o755);
    const environment = { PATH: `${folder}:${process.env.PATH}` };
    const values = (...words: readonly string[]) =>
      runProcess(['__complete', '--for=fish', ...words], { environment })
        .stdout.split('\n')
        .map((line) => line.split('\t')[0]);
    assert.deepEqual(values('compile', '--node', '').slice(0, -2), []);
    assert.equal(existsSync(asked), false);
    assert.deepEqual(values('compile', '--live', '--node', '').slice(0, -2), ['n1', 'n2']);
    assert.deepEqual(values('doctor', '--live', '').slice(0, -2), ['node/n1', 'node/n2', 'nodes']);
    const line = ['compile', '--live', '--context', 'prod', '--as', 'me', '-n', 'shop', '--service', ''];
    assert.deepEqual(values(...line).slice(0, -2), ['shop/web', 'shop/web:80']);
    assert.match(readFileSync(asked, 'utf8'), /^--context=prod --as=me .*\/namespaces\/shop\/services/m);
    assert.deepEqual(values('policy', 'test', '--live', '--from', 'shop/').slice(0, -2), []);
  });

  it('offers files where files stand', () => {
    for (const words of [
      ['compile', '-f', ''],
      ['diff', '-f', manifests, ''],
      ['doctor', ''],
    ])
      assert.equal(offered(...words).directive & noFiles, 0, words.join(' '));
  });

  it('says nothing about input that it cannot read', () => {
    const broken = join(folder, 'broken.yaml');
    writeFileSync(broken, 'kind: [');
    for (const file of [broken, join(folder, 'missing.yaml')])
      assert.deepEqual(offered('compile', '-f', file, '--service', ''), { values: [], directive: noFiles });
  });

  it('offers no names that a terminal or a shell would take for more', () => {
    const hostile = join(folder, 'hostile.json');
    const names = ['a\nb', 'x\u001b[31m', '$(touch owned)', 'fine'];
    const items = names.map((name) => ({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name, namespace: 'shop' },
      spec: { clusterIP: '10.96.0.10', ports: [{ port: 80 }] },
    }));
    writeFileSync(hostile, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
    const { values } = offered('compile', '-f', hostile, '--service', '');
    assert.ok(values.includes('shop/fine'));
    for (const value of values) assert.doesNotMatch(value, /[\n\u001b$()]/);
  });
});
