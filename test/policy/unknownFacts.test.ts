import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { runCli } from '../support/runCli.ts';

/** What the input does not show is never taken for nothing: it is unknown, or refused, with what is missing and how to get it. */

const file = (name: string) => ['-f', `fixtures/policy-unknown/${name}`];
const ask = ['--from', 'prod/evil', '--to', 'shop/db', '--port', '80'];
const tables = [...file('nodes.txt'), ...file('pods.txt'), ...file('not-prod.yaml')];
const podsOnly = [...file('podsonly.yaml'), ...file('not-prod.yaml')];
const whole = [...file('whole.yaml'), ...file('not-prod.yaml')];
const shop = [...file('shop.yaml'), ...file('shop-policies.yaml')];

const folder = mkdtempSync(join(tmpdir(), 'k8snet-'));
after(() => rmSync(folder, { recursive: true }));
function written(name: string, text: string): readonly string[] {
  const path = join(folder, name);
  writeFileSync(path, text);
  return ['-f', path];
}

describe('labels that the input does not show', () => {
  it('make a verdict unknown: of Pods', () => {
    const run = runCli(['policy', 'test', ...tables, ...ask]);
    assert.equal(run.status, 3, run.stdout);
    assert.match(run.stdout, /^unknown: prod\/evil/);
    assert.match(run.stdout, /the labels of Pod shop\/db[\s\S]*kubectl get pods,namespaces -A -o yaml/);
    assert.match(run.stderr, /does not show [^\n]*of Pods: labels/);
  });

  it('make a verdict unknown: of Namespaces', () => {
    const run = runCli(['policy', 'test', ...podsOnly, ...ask]);
    assert.equal(run.status, 3, run.stdout);
    assert.match(run.stdout, /the labels besides kubernetes\.io\/metadata\.name of Namespace prod/);
    assert.match(run.stdout, /kubectl get namespaces -o yaml/);
  });

  it('are read of Namespaces from a table with labels', () => {
    const namespaces = written(
      'namespaces.txt',
      `NAME   STATUS   AGE   LABELS
prod   Active   2d    env=prod,kubernetes.io/metadata.name=prod
shop   Active   2d    kubernetes.io/metadata.name=shop
`,
    );
    const run = runCli(['policy', 'test', ...podsOnly, ...namespaces, ...ask]);
    assert.equal(run.status, 1, run.stdout);
  });

  it('are no matter where they are given, or do not count', () => {
    assert.equal(runCli(['policy', 'test', ...whole, ...ask]).status, 1);
    const assumed = runCli(['policy', 'test', ...podsOnly, ...ask, '--assume-empty-labels']);
    assert.equal(assumed.status, 0, assumed.stdout);
    // By the name of its namespace a sender is known without the object.
    const named = written(
      'named.yaml',
      `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: by-name, namespace: shop}
spec:
  podSelector: {}
  ingress: [{from: [{namespaceSelector: {matchExpressions: [{key: kubernetes.io/metadata.name, operator: NotIn, values: [prod]}]}}]}]
`,
    );
    const denied = runCli(['policy', 'test', ...file('podsonly.yaml'), ...named, ...ask]);
    assert.equal(denied.status, 1, denied.stdout);
    // A table with labels shows them; a policy for all Pods asks for none.
    const labelled = written(
      'labelled.txt',
      `NAMESPACE   NAME   READY   STATUS    RESTARTS   AGE   IP         NODE   NOMINATED NODE   READINESS GATES   LABELS
shop        db     1/1     Running   0          1d    10.1.0.2   n1     <none>           <none>            app=db
prod        evil   1/1     Running   0          1d    10.2.0.3   n2     <none>           <none>            <none>
`,
    );
    const all = written(
      'all.yaml',
      'apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: all, namespace: shop}\nspec: {podSelector: {}, policyTypes: [Ingress]}\n',
    );
    const db = written(
      'db.yaml',
      'apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: db, namespace: shop}\nspec: {podSelector: {matchLabels: {app: db}}, ingress: [{from: [{podSelector: {matchLabels: {app: web}}}]}]}\n',
    );
    assert.equal(runCli(['policy', 'test', ...labelled, ...db, ...ask]).status, 1);
    assert.equal(runCli(['policy', 'test', ...file('pods.txt'), ...all, ...ask]).status, 1);
    assert.equal(runCli(['policy', 'test', ...file('pods.txt'), ...db, ...ask]).status, 3);
  });

  it('are marked in a matrix, and named in an explanation', () => {
    const matrix = runCli(['policy', 'matrix', ...podsOnly]);
    assert.equal(matrix.status, 3, matrix.stdout);
    assert.match(matrix.stdout, /prod +- +1 of 2 pairs, 1\?/);
    assert.match(matrix.stderr, /policy-facts-missing[\s\S]*Namespaces prod, shop/);
    const json = JSON.parse(runCli(['policy', 'matrix', ...podsOnly, '-o', 'json']).stdout);
    const pair = json.pairs.find(({ from, to }: { from: string; to: string }) => from === 'prod' && to === 'shop');
    assert.deepEqual(pair, { from: 'prod', to: 'shop', open: '1 of 2 pairs, 1?', allowed: 1, total: 2, unknown: 1 });
    assert.match(runCli(['policy', 'explain', ...tables]).stdout, /none for sure; perhaps db/);
    assert.doesNotMatch(runCli(['policy', 'explain', ...tables]).stdout, /has no effect/);
    assert.doesNotMatch(runCli(['lint', ...tables]).stdout, /K8N905/);
  });

  for (const [layout = '', ...more] of [['nftables'], ['iptables', '--policy-layout', 'strict'], ['iptables']]) {
    it(`refuse rules: ${[layout, ...more].join(' ')}`, () => {
      const args = ['--node', 'n1', '--policy', layout, ...more, '--policy-only', '-o', 'restore'];
      for (const input of [tables, podsOnly]) {
        const run = runCli(['compile', ...input, ...args]);
        assert.equal(run.status, 2, run.stdout);
        assert.equal(run.stdout, '');
        assert.match(run.stderr, /error policy-facts-missing/);
        // That Pods are left open may be meant; this is no such thing.
        assert.equal(runCli(['compile', ...input, ...args, '--allow-empty']).status, 2);
        const assumed = runCli(['compile', ...input, ...args, '--assume-empty-labels', '--allow-empty']);
        assert.equal(assumed.status, 0, assumed.stderr);
      }
      assert.equal(runCli(['compile', ...whole, ...args]).status, 0);
    });
  }

  it('refuse a walk by manifests alone', () => {
    const service = written(
      'service.yaml',
      'apiVersion: v1\nkind: Service\nmetadata: {name: db, namespace: shop}\nspec: {clusterIP: 10.96.0.9, ports: [{port: 80}]}\n',
    );
    for (const command of ['why', 'trace']) {
      const run = runCli([
        command,
        ...podsOnly,
        ...service,
        '--node',
        'n1',
        '--from',
        'prod/evil',
        '--to',
        '10.1.0.2:80',
      ]);
      assert.equal(run.status, 2, run.stdout);
      assert.match(run.stderr, /policy-facts-missing/);
    }
  });
});

describe('names of ports and addresses that the input does not show', () => {
  const port = written(
    'port.yaml',
    'apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: http, namespace: shop}\nspec: {podSelector: {}, ingress: [{ports: [{port: http}]}]}\n',
  );

  it('make a verdict unknown', () => {
    const run = runCli(['policy', 'test', ...file('pods.txt'), ...port, ...ask]);
    assert.equal(run.status, 3, run.stdout);
    assert.match(run.stdout, /the names of the ports of Pod shop\/db/);
    const byName = runCli(['policy', 'test', ...file('pods.txt'), ...port, ...ask.slice(0, -1), 'http']);
    assert.equal(byName.status, 2);
    assert.match(byName.stderr, /does not show the names of the ports of Pod shop\/db: give the port as a number/);
  });

  it('refuse rules: of peers', () => {
    const peers = written(
      'peers.yaml',
      `apiVersion: v1
kind: Pod
metadata: {name: front, namespace: shop, labels: {app: web}}
spec: {containers: [{name: c, image: x}]}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: db, namespace: shop}
spec: {podSelector: {matchLabels: {app: db}}, ingress: [{from: [{podSelector: {matchLabels: {app: web}}}]}]}
`,
    );
    const args = ['--node', 'n1', '--policy', 'nftables', '--policy-only', '-o', 'restore'];
    const run = runCli(['compile', ...file('whole.yaml'), ...peers, ...args]);
    assert.equal(run.status, 2, run.stdout);
    assert.match(run.stderr, /the address of Pod shop\/front/);
  });
});

describe('policies of other kinds', () => {
  const others = file('others.yaml');
  const inShop = ['--from', 'shop/web', '--to', 'shop/db', '--port', '5432'];

  it('are in the first line, and nothing is allowed beside them', () => {
    const run = runCli(['policy', 'test', '-q', ...file('shop.yaml'), ...others, ...inShop]);
    assert.equal(run.status, 3, run.stdout);
    assert.match(
      run.stdout,
      /^unknown: CiliumNetworkPolicy shop\/only-http decides too, and k8snet does not read it\n/,
    );
    assert.match(run.stdout, /\nunknown \(allowed by Kubernetes' own policies alone\)/);
    const json = JSON.parse(runCli(['policy', 'test', ...shop, ...others, ...inShop, '-o', 'json']).stdout);
    assert.equal(json.allowed, false);
    assert.equal(json.verdict, 'unknown');
    assert.deepEqual(json.checks[0].otherPolicies, [
      { kind: 'CiliumNetworkPolicy', server: 'Cilium', namespace: 'shop', name: 'only-http' },
    ]);
    const matrix = runCli(['policy', 'matrix', '-q', ...file('shop.yaml'), ...others]);
    assert.equal(matrix.status, 3);
    assert.match(matrix.stdout, /^unknown: CiliumNetworkPolicy shop\/only-http/);
    assert.match(matrix.stdout, /kube-system +- +all +all\? +all/);
  });

  it('are no matter for Pods of other namespaces', () => {
    const run = runCli(['policy', 'test', ...file('shop.yaml'), ...file('elsewhere.yaml'), ...inShop]);
    assert.equal(run.status, 0, run.stdout);
  });

  for (const [apiVersion, kind, named] of [
    ['cilium.io/v2', 'CiliumClusterwideNetworkPolicy', 'CiliumClusterwideNetworkPolicy x'],
    ['projectcalico.org/v3', 'GlobalNetworkPolicy', "Calico's GlobalNetworkPolicy x"],
    ['crd.projectcalico.org/v1', 'NetworkPolicy', "Calico's NetworkPolicy shop/x"],
    ['crd.antrea.io/v1beta1', 'ClusterNetworkPolicy', "Antrea's ClusterNetworkPolicy x"],
    ['k8s.ovn.org/v1', 'EgressFirewall', "OVN-Kubernetes's EgressFirewall shop/x"],
    ['networking.gke.io/v1alpha1', 'FQDNNetworkPolicy', "networking.gke.io's FQDNNetworkPolicy shop/x"],
    ['policy.networking.x-k8s.io/v1', 'AdminNetworkPolicy', "policy.networking.x-k8s.io's AdminNetworkPolicy x"],
  ]) {
    it(`are known: ${kind} of ${apiVersion}`, () => {
      const other = written(
        `${kind}.yaml`,
        `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: x, namespace: shop}\nspec: {}\n`,
      );
      const run = runCli(['policy', 'test', ...file('shop.yaml'), ...other, ...inShop]);
      assert.equal(run.status, 3, run.stdout);
      assert.ok(run.stdout.startsWith(`unknown: ${named} decides too`), run.stdout);
    });
  }

  it('are only seen where they decide, and never believed', () => {
    const hostile = written(
      'hostile.yaml',
      'apiVersion: cilium.io/v2\nkind: CiliumNetworkPolicy\nmetadata: {name: "a\\e[31m\\nallowed", namespace: shop}\nspec: {}\n',
    );
    const run = runCli(['policy', 'test', ...file('shop.yaml'), ...hostile, ...inShop]);
    assert.equal(run.status, 3, run.stderr);
    assert.ok(!run.stdout.includes('\u001b') && !/^allowed/m.test(run.stdout), run.stdout);
    for (const [apiVersion, kind] of [
      ['projectcalico.org/v3', 'StagedNetworkPolicy'],
      ['k8s.cni.cncf.io/v1beta1', 'MultiNetworkPolicy'],
    ]) {
      const idle = written(
        `${kind}.yaml`,
        `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: x, namespace: shop}\nspec: {}\n`,
      );
      assert.equal(runCli(['policy', 'test', ...file('shop.yaml'), ...idle, ...inShop]).status, 0, kind);
    }
  });

  it('leave why, trace and reach undecided where the packet would arrive', () => {
    const dns = written(
      'dns.yaml',
      `apiVersion: v1
kind: Service
metadata: {name: front, namespace: shop}
spec: {clusterIP: 10.96.0.77, ports: [{port: 80, targetPort: 8080}]}
---
apiVersion: v1
kind: Endpoints
metadata: {name: front, namespace: shop}
subsets: [{addresses: [{ip: 10.244.1.2}], ports: [{port: 8080}]}]
`,
    );
    const input = [...file('shop.yaml'), ...dns, '--node', 'n1'];
    for (const command of ['why', 'trace']) {
      const asked = [command, ...input, '--from', 'kube-system/dns', '--to', '10.96.0.77:80'];
      assert.equal(runCli(asked).status, 0);
      const run = runCli([...asked, ...others]);
      assert.equal(run.status, 3, run.stdout);
      assert.match(run.stdout, /CiliumNetworkPolicy shop\/only-http decides about this packet too/);
    }
    assert.match(
      runCli(['why', ...input, ...others, '--from', 'kube-system/dns', '--to', '10.96.0.77:80']).stdout.split(
        '\n',
      )[0] ?? '',
      /CiliumNetworkPolicy/,
    );
    const reach = runCli(['reach', ...input, ...others]);
    assert.equal(reach.status, 3);
    assert.match(reach.stdout, /^unknown: CiliumNetworkPolicy/);
  });

  it('are said to have no rules', () => {
    const args = ['--node', 'n1', '--policy', 'nftables', '--policy-only', '-o', 'restore'];
    const run = runCli(['compile', ...shop, ...others, ...args]);
    assert.equal(run.status, 0, run.stderr);
    assert.match(run.stderr, /warning other-policies: 1 policy of other kinds \(CiliumNetworkPolicy\) get/);
  });
});
