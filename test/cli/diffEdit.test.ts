import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { runCli } from '../support/runCli.ts';

/** What an edit of a repository's manifests changes on a node: `diff -f OLD -f NEW`. */
const folder = mkdtempSync(join(tmpdir(), 'k8snet-edit-'));
after(() => rmSync(folder, { recursive: true }));

const deployment = (name: string, replicas = 2) => `---
apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}, namespace: shop}
spec:
  replicas: ${replicas}
  selector: {matchLabels: {app: ${name}}}
  template: {metadata: {labels: {app: ${name}}}, spec: {containers: [{name: main, ports: [{containerPort: 8080}]}]}}
`;
const service = (name: string, port = 80) => `---
apiVersion: v1
kind: Service
metadata: {name: ${name}, namespace: shop}
spec: {selector: {app: ${name}}, ports: [{port: ${port}, targetPort: 8080}]}
`;
const policy = (port: number) => `---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: shop, namespace: shop}
spec: {podSelector: {matchLabels: {app: shop}}, ingress: [{from: [{podSelector: {matchLabels: {app: web}}}], ports: [{port: ${port}}]}]}
`;

const base = deployment('shop') + deployment('web') + service('shop') + service('web') + policy(8080);

function edit(before: string, young: string, ...more: readonly string[]) {
  const [one, other] = [join(folder, 'before.yaml'), join(folder, 'after.yaml')];
  writeFileSync(one, before);
  writeFileSync(other, young);
  const { stdout, status } = runCli(['diff', '-f', one, '-f', other, '--family', 'ipv4', ...more]);
  return { lines: stdout.trimEnd().split('\n'), status };
}

const unchanged = { lines: ['no Service changes', 'the rules of the node stay as they are'], status: 0 };

describe('an edit of manifests', () => {
  it('changes nothing for other workloads where one comes or goes', () => {
    // Their Pods would come before all others.
    const more = deployment('api') + base;
    assert.deepEqual(edit(base, base), unchanged);
    assert.deepEqual(edit(base, more), unchanged);
    assert.deepEqual(edit(more, base), unchanged);
  });

  it('of replicas adds endpoints, and keeps those that were there', () => {
    const { lines, status } = edit(base, base.replace(deployment('web'), deployment('web', 3)));
    assert.equal(status, 1);
    assert.deepEqual(lines.slice(0, 4), [
      'shop/web',
      '  port 80/TCP: 2 → 3 endpoints (+10.244.0.14:8080): each gets 1/3 of new connections',
      'policies',
      '  shop/shop-0, shop/shop-1 let in connections from shop/web-2 (8080/tcp) afterwards',
    ]);
  });

  it('of a Service is told by its ports', () => {
    const { lines, status } = edit(base, base.replace(service('web'), service('web', 81)));
    assert.equal(status, 1);
    assert.deepEqual(lines.slice(0, 2), ['shop/web', '  port 81/TCP: port 80 → 81']);
    assert.match(lines.at(-1) ?? '', /^rules of the node: \d+ rules? more, \d+ less \(-v lists them\)$/);
  });

  it('of a policy leaves kube-proxy’s rules alone', () => {
    const { lines, status } = edit(base, base.replace(policy(8080), policy(9090)));
    assert.equal(status, 1);
    assert.deepEqual(lines.slice(0, 4), [
      'no Service changes',
      'policies',
      '  shop/shop-0, shop/shop-1 let in connections from shop/web-0, shop/web-1 (9090/tcp) afterwards',
      '  shop/shop-0, shop/shop-1 no longer let in connections from shop/web-0, shop/web-1 (8080/tcp)',
    ]);
    assert.match(lines[4] ?? '', /^rules of policies in nftables: \d+ rules more, \d+ less \(-v lists them\)$/);
    const verbose = edit(base, base.replace(policy(8080), policy(9090)), '-v');
    assert.ok(verbose.lines.some((line) => line.startsWith('  + ip k8snet-netpol ')));
  });

  it('about one Service leaves policies out', () => {
    assert.deepEqual(edit(base, base.replace(policy(8080), policy(9090)), '--service', 'shop/web'), unchanged);
  });
});
