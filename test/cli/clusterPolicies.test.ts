import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { runCli } from '../support/runCli.ts';

const folder = mkdtempSync(join(tmpdir(), 'k8snet-'));

const pod = (name: string, ip: string) => `---
apiVersion: v1
kind: Pod
metadata: { name: ${name}, namespace: shop, labels: { app: ${name} } }
spec: { nodeName: n1, containers: [{ name: c, image: c }] }
status: { phase: Running, podIP: ${ip}, podIPs: [{ ip: ${ip} }], conditions: [{ type: Ready, status: "True" }] }
`;
const cluster = `apiVersion: v1
kind: Node
metadata: { name: n1 }
spec: { podCIDR: 10.244.1.0/24 }
status: { addresses: [{ type: InternalIP, address: 192.168.10.1 }] }
---
{ apiVersion: v1, kind: Namespace, metadata: { name: shop } }
${pod('web', '10.244.1.10')}${pod('friend', '10.244.1.11')}${pod('stranger', '10.244.1.12')}---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: { name: all, namespace: shop }
spec: { podSelector: {}, ingress: [{}] }
`;
const guard = (name: string, more: string, priority = 10) => `---
apiVersion: policy.networking.k8s.io/v1alpha2
kind: ClusterNetworkPolicy
metadata: { name: ${name} }
spec: { tier: Admin, priority: ${priority}, subject: { namespaces: {} }, ${more} }
`;
const app = (name: string) => `pods: { namespaceSelector: {}, podSelector: { matchLabels: { app: ${name} } } }`;
const strangers = `ingress: [{ action: Deny, from: [{ ${app('stranger')} }] }, { action: Pass, from: [{ ${app('friend')} }] }]`;
const names = 'egress: [{ action: Accept, to: [{ domainNames: [example.com] }] }]';

function input(name: string, ...policies: readonly string[]): readonly string[] {
  const file = join(folder, name);
  writeFileSync(file, [cluster, ...policies].join(''));
  return ['-f', file];
}

describe('cluster-wide policies at the command line', () => {
  const guarded = input('guarded.yaml', guard('guard', strangers));
  const compile = ['compile', '--node', 'n1', '--policy-only'];

  it('decide what why and reach say by manifests', () => {
    const ask = (from: string) => runCli(['why', ...guarded, '--node', 'n1', '--from', from, '--to', '10.244.1.10:80']);
    const denied = ask('shop/stranger');
    assert.equal(denied.status, 1, denied.stderr);
    assert.match(denied.stdout, /^A policy for the whole cluster denies it: ClusterNetworkPolicy guard \(/);
    assert.equal(ask('shop/friend').status, 0);
  });

  for (const policy of ['nftables', 'iptables']) {
    it(`are found again in a dump of their rules of ${policy}`, () => {
      const compiled = runCli([...compile, ...guarded, '--policy', policy]);
      assert.equal(compiled.status, 0, compiled.stderr);
      assert.match(compiled.stderr, /note policies-counted: node n1: 2 of 2 policies select 3 of 3 Pods/);
      const parts = compiled.stdout.split(/^# policy\.v4\.(?:ipset|save)\n/m).filter((text) => text !== '');
      const files = parts.map((text, at) => {
        const file = join(folder, `${policy}-${at}.txt`);
        writeFileSync(file, text);
        return file;
      });
      const same = runCli(['diff', ...guarded, '--node', 'n1', '--mode', policy, ...files]);
      assert.doesNotMatch(same.stdout, /ClusterNetworkPolicy|KUBE-NWPLCY|(?:in|eg)-[0-9a-f]{20}/, same.stdout);
      const open = input('open.yaml', guard('guard', strangers.replace('Deny', 'Accept')));
      const changed = runCli(['diff', ...open, '--node', 'n1', '--mode', policy, ...files]);
      assert.match(changed.stdout, /ClusterNetworkPolicy.guard/, changed.stdout);
    });
  }

  it('are refused where no rules can be made of them, at the place', () => {
    const named = input('named.yaml', guard('names', names));
    const run = runCli([...compile, ...named]);
    assert.equal(run.status, 2);
    assert.equal(run.stdout, '');
    assert.match(
      run.stderr,
      /named\.yaml:\d+:\d+ error policy-without-rules: ClusterNetworkPolicy names names domains/,
    );
    const router = runCli([...compile, ...guarded, '--policy', 'iptables', '--policy-layout', 'kube-router']);
    assert.equal(router.status, 2);
    assert.match(router.stderr, /error policy-without-rules: .* kube-router knows no cluster-wide policies/);
    const walked = runCli(['why', ...named, '--node', 'n1', '--from', 'shop/web', '--to', '203.0.113.1:80']);
    assert.equal(walked.status, 2, walked.stdout);
  });

  it('of equal priority are asked by name, which is said', () => {
    const equal = input('equal.yaml', guard('a', strangers), guard('b', strangers));
    const run = runCli([...compile, ...equal]);
    assert.equal(run.status, 0);
    assert.match(
      run.stderr,
      /warning policy-order-open: ClusterNetworkPolicy a and ClusterNetworkPolicy b have the same/,
    );
    const walked = runCli(['why', ...equal, '--node', 'n1', '--from', 'shop/friend', '--to', '10.244.1.10:80']);
    assert.match(walked.stderr, /warning policy-order-open: /);
    const ordered = input('ordered.yaml', guard('a', strangers), guard('b', strangers, 11));
    assert.doesNotMatch(runCli([...compile, ...ordered]).stderr, /policy-order-open/);
  });

  it('are explained, rule by rule', () => {
    const run = runCli(['policy', 'explain', '-q', 'guard', ...guarded]);
    assert.equal(run.status, 0);
    assert.match(
      run.stdout,
      /^ClusterNetworkPolicy guard \(Admin tier, priority 10\)\n {2}applies to all pods in any namespace/,
    );
    assert.match(
      run.stdout,
      /\n {4}- deny from pods with app=stranger in any namespace: every port and protocol\n {4}- pass on/,
    );
  });

  it('that are about no Pod are found where the input is a whole cluster, and only there', () => {
    const nobody = guard('nobody', strangers).replace(
      '{ namespaces: {} }',
      '{ namespaces: { matchLabels: { team: x } } }',
    );
    const system = '---\n{ apiVersion: v1, kind: Namespace, metadata: { name: kube-system } }\n';
    const whole = runCli(['lint', ...input('whole.yaml', system, nobody)]);
    assert.match(
      whole.stderr + whole.stdout,
      /warning policy-selects-nothing: ClusterNetworkPolicy nobody is about no Pod/,
    );
    const part = runCli(['lint', ...input('part.yaml', nobody)]);
    assert.doesNotMatch(part.stderr + part.stdout, /policy-selects-nothing/);
    const somebody = runCli(['lint', ...input('somebody.yaml', system, guard('guard', strangers))]);
    assert.doesNotMatch(somebody.stderr + somebody.stdout, /policy-selects-nothing/);
  });
});
