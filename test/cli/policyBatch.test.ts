import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { runCli } from '../support/runCli.ts';

const folder = mkdtempSync(join(tmpdir(), 'k8snet-'));
const written = (name: string, text: string) => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};

const pod = (name: string, ip: string) =>
  `{apiVersion: v1, kind: Pod, metadata: {name: ${name}, namespace: shop, labels: {app: ${name}}}, spec: {nodeName: n1, containers: [{name: c, image: c}]}, status: {phase: Running, podIP: ${ip}}}`;
const cluster = written(
  'cluster.yaml',
  [
    '{apiVersion: v1, kind: Namespace, metadata: {name: shop}}',
    pod('web', '10.0.0.1'),
    pod('db', '10.0.0.2'),
    '{apiVersion: v1, kind: Service, metadata: {name: gone, namespace: shop}, spec: {clusterIP: 10.96.0.9, ports: [{port: 80}]}}',
    '{apiVersion: networking.k8s.io/v1, kind: NetworkPolicy, metadata: {name: db, namespace: shop}, spec: {podSelector: {matchLabels: {app: db}}, ingress: [{from: [{podSelector: {}}], ports: [{port: 5432}]}]}}',
    '{apiVersion: policy.networking.k8s.io/v1alpha2, kind: ClusterNetworkPolicy, metadata: {name: names}, spec: {tier: Admin, priority: 1, subject: {namespaces: {}}, egress: [{action: Deny, to: [{domainNames: [a.example]}]}]}}',
  ].join('\n---\n'),
);

const ask = (flows: string, ...more: readonly string[]) =>
  runCli(['policy', 'test', '-q', '-f', cluster, '--batch', written('flows.txt', flows), ...more]);

describe('policy test --batch', () => {
  it('answers line by line, in their order', () => {
    const run = ask(
      '# who may\nshop/web shop/db 5432\n\n  shop/web\tshop/db 5433   # not this\nshop/web svc/shop/gone 80\nshop/web 203.0.113.1 80\nshop/web shop/db\n',
    );
    assert.equal(
      run.stdout,
      'allowed shop/web shop/db 5432\ndenied  shop/web\tshop/db 5433\nrefused shop/web svc/shop/gone 80\nunknown shop/web 203.0.113.1 80\nallowed shop/web shop/db\n'.replace(
        '\t',
        '\\t',
      ),
    );
    assert.equal(run.status, 1);
  });

  it('ends as one question does', () => {
    assert.equal(ask('shop/web shop/db 5432\n').status, 0);
    assert.equal(ask('shop/web shop/db 5432\nshop/web 203.0.113.1 80\n').status, 3);
    assert.equal(ask('').status, 0);
  });

  it('says of a line that asks nothing which it is, and answers the others', () => {
    const run = ask('shop/web\nshop/web shop/nobody 80\nshop/web shop/db 5432\nshop/web shop/db 5432/http\n');
    assert.equal(run.status, 2);
    assert.match(
      run.stdout,
      /^error +shop\/web\nerror +shop\/web shop\/nobody 80\nallowed shop\/web shop\/db 5432\nerror/,
    );
    assert.match(run.stderr, /flows\.txt:1: "shop\/web" is not FROM TO \[PORT\]/);
    assert.match(run.stderr, /flows\.txt:2: .*shop\/nobody/);
    assert.match(run.stderr, /flows\.txt:4: /);
  });

  it('has the same answers for programs', () => {
    const { flows } = JSON.parse(ask('\nshop/web shop/db 5432\n', '-o', 'json').stdout);
    assert.deepEqual(flows, [{ line: 2, flow: 'shop/web shop/db 5432', verdict: 'allowed' }]);
  });

  it('takes no other flow, and needs its file', () => {
    const both = ask('shop/web shop/db\n', '--from', 'shop/web');
    assert.equal(both.status, 2);
    assert.match(both.stderr, /--batch has its own --from, --to and --port/);
    const none = runCli(['policy', 'test', '-f', cluster, '--batch', join(folder, 'none.txt')]);
    assert.equal(none.status, 2);
    assert.match(none.stderr, /error cannot-read: cannot read .*none\.txt/);
  });
});
