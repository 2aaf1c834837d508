import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { runCli } from '../support/runCli.ts';

const pod = (name: string, ip: string, labels: string) => `---
apiVersion: v1
kind: Pod
metadata: { name: ${name}, namespace: shop, labels: { ${labels} } }
spec: { nodeName: n1, containers: [{ name: c, image: c }] }
status: { podIP: ${ip}, podIPs: [{ ip: ${ip} }], conditions: [{ type: Ready, status: "True" }] }
`;
const manifests = `apiVersion: v1
kind: Node
metadata: { name: n1 }
spec: { podCIDR: 10.244.1.0/24 }
status: { addresses: [{ type: InternalIP, address: 192.168.10.1 }] }
---
apiVersion: v1
kind: Service
metadata: { name: web, namespace: shop }
spec: { clusterIP: 10.96.0.20, selector: { app: web }, ports: [{ port: 80, targetPort: 8080 }] }
${pod('web', '10.244.1.10', 'app: web')}${pod('friend', '10.244.1.11', 'role: friend')}${pod('stranger', '10.244.1.12', 'role: stranger')}---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: { name: friends, namespace: shop }
spec:
  podSelector: { matchLabels: { app: web } }
  ingress: [{ from: [{ podSelector: { matchLabels: { role: friend } } }] }]
`;
const file = join(mkdtempSync(join(tmpdir(), 'k8snet-')), 'shop.yaml');
writeFileSync(file, manifests);

describe('NetworkPolicies of manifests that packets are walked by', () => {
  for (const mode of ['iptables', 'nftables', 'ipvs']) {
    it(`decide with the rules of ${mode} mode`, () => {
      const ask = (...more: readonly string[]) =>
        runCli(['why', '-f', file, '--node', 'n1', '--mode', mode, '--to', 'shop/web', ...more]);
      const denied = ask('--from', 'shop/stranger');
      assert.equal(denied.status, 1, denied.stderr);
      assert.match(denied.stdout, /^A NetworkPolicy denies it/);
      assert.match(denied.stderr, /policies-walked/);
      const allowed = ask('--from', 'shop/friend');
      assert.equal(allowed.status, 0, allowed.stdout);
      const without = ask('--from', 'shop/stranger', '--no-policies');
      assert.equal(without.status, 0, without.stdout);
      assert.doesNotMatch(without.stderr, /policies-walked/);
    });
  }

  it('are asked by names as kubectl takes them', () => {
    const answer = (to: string) => runCli(['why', '-f', file, '--node', 'n1', '--from', 'pod/shop/friend', '--to', to]);
    for (const to of ['shop/web', 'svc/shop/web', 'service/shop/web:80', 'pod/shop/web:8080']) {
      assert.equal(answer(to).status, 0, `${to}: ${answer(to).stdout}${answer(to).stderr}`);
    }
    // Of the namespace default, where there is none of the name.
    assert.match(answer('svc/web').stderr, /no Service of this name is known/);
    assert.match(answer('pod/shop/nobody:80').stderr, /no Pod or Service of this name/);
  });

  it('are what reach tells of', () => {
    const table = (...more: readonly string[]) =>
      runCli(['reach', '-f', file, '--node', 'n1', '-q', 'svc/shop/web', ...more]).stdout;
    assert.match(table(), /dropped/);
    assert.doesNotMatch(table('--no-policies'), /dropped/);
  });
});
