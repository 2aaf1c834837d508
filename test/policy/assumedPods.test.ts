import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Diagnostic } from '../../src/diagnostics/diagnostic.ts';
import { loadTexts } from '../../src/load/loadTexts.ts';
import { judgeConnection } from '../../src/pipeline/judgeConnection.ts';
import { runCli } from '../support/runCli.ts';

const workload = (kind: string, name: string, more = '') => `---
apiVersion: apps/v1
kind: ${kind}
metadata: { name: ${name}, namespace: shop }
spec:
  replicas: 2
  selector: { matchLabels: { app: ${name} } }
  template: { metadata: { labels: { app: ${name} } }, spec: { containers: [{ name: c, ports: [{ containerPort: 80 }] }] } }
${more}`;
const policy = `---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: { name: db, namespace: shop }
spec:
  podSelector: { matchLabels: { app: db } }
  ingress: [{ from: [{ podSelector: { matchLabels: { app: web } } }], ports: [{ port: 5432 }] }]
`;
const service = `---
apiVersion: v1
kind: Service
metadata: { name: db, namespace: shop }
spec: { clusterIP: 10.96.0.10, selector: { app: db }, ports: [{ port: 5432 }] }
`;
const app = policy + service + workload('Deployment', 'web') + workload('StatefulSet', 'db');
const bare = (ip = '') => `---
apiVersion: v1
kind: Pod
metadata: { name: bare, namespace: shop, labels: { app: web } }
spec: { containers: [{ name: c }] }
${ip === '' ? '' : `status: { podIP: ${ip}, phase: Running }\n`}`;

async function ask(text: string, from: string, to: string, assumesPods = true): Promise<string> {
  const diagnostics: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic) => diagnostics.push(diagnostic);
  const { objects } = await loadTexts([{ name: 'app.yaml', text }], report);
  const port = { kind: 'number', protocol: 'TCP', port: 5432 } as const;
  const outcome = judgeConnection(objects, { from, to, port, family: undefined }, report, { assumesPods });
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  assert.deepEqual(errors, []);
  assert.ok(outcome);
  if (outcome.kind === 'unanswerable') return outcome.message;
  const [check] = outcome.checks;
  return `${outcome.isAllowed ? 'allowed' : 'denied'} ${check?.from.pods[0]?.id ?? check?.from.ip} ${check?.to.pods[0]?.id}`;
}

describe('policies of workloads', () => {
  it('are asked by the names of workloads', async () => {
    assert.equal(await ask(app, 'deploy/shop/web', 'sts/shop/db'), 'allowed shop/web-0 shop/db-0');
    assert.equal(await ask(app, 'deployment/shop/web', 'svc/shop/db'), 'allowed shop/web-0 shop/db-0');
    assert.equal(await ask(app, 'sts/shop/db', 'deploy/shop/web'), 'allowed shop/db-0 shop/web-0');
    assert.equal(await ask(app, 'external', 'sts/shop/db'), 'denied 203.0.113.1 shop/db-0');
  });

  it('are asked of Pods that a ReplicaSet of the Deployment has started', async () => {
    const given = `${app}---
apiVersion: v1
kind: Pod
metadata:
  name: web-7d9f8c6b5-x2x4z
  namespace: shop
  labels: { app: web }
  ownerReferences: [{ apiVersion: apps/v1, kind: ReplicaSet, name: web-7d9f8c6b5, uid: a, controller: true }]
spec: { containers: [{ name: c }] }
status: { podIP: 10.244.7.7, phase: Running }
`;
    assert.equal(await ask(given, 'deploy/shop/web', 'sts/shop/db'), 'allowed shop/web-7d9f8c6b5-x2x4z shop/db-0');
  });

  it('say why there is nobody', async () => {
    const says = [
      [false, 'deploy/shop/web', /^Deployment shop\/web has no Pods in the input; --assume-pods makes them up$/],
      [true, 'deploy/shop/wbe', /^Deployment shop\/wbe not found; did you mean shop\/web\?$/],
      [true, 'deploy/web', /^Deployment default\/web not found; did you mean shop\/web\?$/],
      [false, 'shop/web-0', /the input has no Pods of namespace shop: --assume-pods makes up those of its workloads$/],
      [true, 'shop/web-9', /^Pod shop\/web-9 not found; did you mean shop\/web-0\?$/],
      [true, 'web-0', /^"web-0" not found: use namespace\/pod, .*; did you mean shop\/web-0\?$/],
    ] as const;
    for (const [assumes, from, expected] of says) {
      assert.match(await ask(app, from, 'external', assumes), expected);
    }
  });

  it('name Pods without an address, which --assume-pods gives those without any status', async () => {
    const text = policy + bare() + bare('10.244.0.9').replace('name: bare', 'name: db').replace('app: web', 'app: db');
    assert.match(
      await ask(text, 'shop/bare', 'shop/db', false),
      /^Pod shop\/bare has no podIP in the input: give what/,
    );
    assert.equal(await ask(text, 'shop/bare', 'shop/db'), 'allowed shop/bare shop/db');
  });
});

describe('policy matrix', () => {
  const matrix = (input: string, ...args: readonly string[]) =>
    runCli(['policy', 'matrix', '-f', '-', ...args], { input });

  it('of nobody is an error that says why', () => {
    const nobody = matrix(app);
    assert.equal(nobody.status, 2);
    assert.equal(nobody.stdout, '');
    assert.match(nobody.stderr, /the input has no Pods: the table would be empty\n {2}hint: --assume-pods/);
    const silent = matrix(policy + bare());
    assert.equal(silent.status, 2);
    assert.match(silent.stderr, /Pod shop\/bare has no podIP in the input: the table would be empty/);
    const other = matrix(app, '--assume-pods', '--family', 'ipv6');
    assert.equal(other.status, 2);
    assert.match(other.stderr, /no Pod has an IPv6 address\n {2}hint: try --family ipv4/);
  });

  it('of an unknown namespace is an error', () => {
    const { status, stderr } = matrix(app, '--assume-pods', '-n', 'shpo');
    assert.equal(status, 2);
    assert.match(stderr, /namespace shpo not found in the input\n {2}hint: did you mean shop\?/);
  });

  it('of workloads shows their Pods', () => {
    const { status, stdout } = matrix(app, '--assume-pods', '-n', 'shop', '--port', '5432');
    assert.equal(status, 0);
    assert.match(stdout, /^shop\/web-1 +all +all +all +- +all$/m);
  });
});
