import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
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
---
apiVersion: v1
kind: Service
metadata: { name: alone, namespace: shop }
spec: { clusterIP: 10.96.0.21, selector: { app: web }, ports: [{ port: 80, targetPort: 8080 }] }
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
const secondNode = join(dirname(file), 'n2.yaml');
writeFileSync(
  secondNode,
  `apiVersion: v1
kind: Node
metadata: { name: n2 }
spec: { podCIDR: 10.244.2.0/24 }
status: { addresses: [{ type: InternalIP, address: 192.168.10.2 }] }
${pod('far', '10.244.2.10', 'role: stranger').replace('n1', 'n2')}${pod('near', '10.244.2.11', 'role: friend').replace('n1', 'n2')}`,
);

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

  it('are asked about a Pod that sends, even if a Service has its name; a Service sends nothing', () => {
    const trace = (from: string) =>
      runCli(['trace', '-f', file, '--node', 'n1', '-q', '--from', from, '--to', '203.0.113.9:80']);
    assert.match(trace('shop/web').stdout, /^tcp 10\.244\.1\.10:\* → /m);
    for (const service of ['svc/shop/web', 'shop/alone']) {
      const refused = trace(service);
      assert.equal(refused.status, 2, refused.stdout);
      assert.match(refused.stderr, /a Service sends nothing: name a Pod/);
    }
  });

  it('are those of the node where the packet starts, if none is named', () => {
    const ask = (from: string, ...more: readonly string[]) =>
      runCli(['why', '-f', file, '-f', secondNode, '--to', 'shop/web', '--from', from, ...more]);
    for (const from of ['shop/stranger', 'pod/shop/stranger', '10.244.1.12', 'node/n1', '192.168.10.1']) {
      const { stderr } = ask(from);
      assert.match(stderr, /note node-from-question: the packet is walked on node n1, which meets it first/, from);
      assert.doesNotMatch(stderr, /node-not-chosen/, from);
    }
    assert.equal(ask('shop/stranger').status, 1);
    assert.doesNotMatch(ask('shop/stranger', '--node', 'n2').stderr, /node-from-question/);
    assert.match(ask('outside').stderr, /node-not-chosen/);
  });

  it('are asked at the Pod of another node, too', () => {
    const ask = (from: string, ...more: readonly string[]) =>
      runCli(['why', '-f', file, '-f', secondNode, '--to', 'shop/web', '--from', from, ...more]);
    const denied = ask('shop/far');
    assert.equal(denied.status, 1, denied.stdout);
    assert.match(
      denied.stdout,
      /^Policies stop it at Pod shop\/web on node n1, whose rules are not those walked here: denied: isolated by /,
    );
    assert.equal(ask('shop/near').status, 0, ask('shop/near').stdout);
    assert.equal(ask('shop/far', '--no-policies').status, 0);
    // The rules that are walked say it themselves.
    assert.match(ask('shop/far', '--node', 'n1').stdout, /^A NetworkPolicy denies it/);
    const out = join(dirname(file), 'out.yaml');
    writeFileSync(
      out,
      `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: { name: out, namespace: shop }
spec: { podSelector: { matchLabels: { role: friend } }, policyTypes: [Egress] }
`,
    );
    const stopped = ask('shop/near', '-f', out, '--node', 'n1');
    assert.equal(stopped.status, 1, stopped.stdout);
    assert.match(stopped.stdout, /^Policies stop it at Pod shop\/near on node n2/);
  });

  describe('beside a dump', () => {
    const given = ['-f', file, '-f', secondNode, '--node', 'n1'];
    const compiled = (...more: readonly string[]) => {
      const { status, stdout, stderr } = runCli(['compile', ...given, '-q', '--family', 'ipv4', ...more]);
      assert.equal(status, 0, stderr);
      return stdout;
    };
    const saved = compiled('-o', 'save');
    const ask = (text: string, from: string, ...more: readonly string[]) => {
      const dump = join(dirname(file), 'n1.save');
      writeFileSync(dump, text);
      return runCli(['why', dump, ...given, '--from', from, '--to', 'shop/web', ...more]);
    };
    const silent =
      /^Unknown: By the objects policies stop it at Pod shop\/web: denied: isolated by shop\/friends, .* The rules given enforce no policies\./;

    it('whose rules enforce none leave open whether the packet passes', () => {
      const denied = ask(saved, 'shop/stranger');
      assert.match(denied.stdout, silent);
      assert.equal(denied.status, 3);
      assert.equal(ask(saved, 'shop/friend').status, 0);
      assert.equal(ask(saved, 'shop/stranger', '--no-policies').status, 0);
    });

    it('that shows a plug-in which enforces them elsewhere leave it open, too', () => {
      const beside = saved.replace(/^:KUBE-FORWARD /m, ':CILIUM_FORWARD - [0:0]\n$&');
      const denied = ask(beside, 'shop/stranger');
      assert.match(denied.stdout, silent);
      assert.equal(denied.status, 3);
    });

    it('whose rules enforce them are left to these', () => {
      const table = join(dirname(file), 'n1.nft');
      writeFileSync(table, compiled('--policy', 'nftables', '--policy-only', '-o', 'save'));
      const denied = ask(saved, 'shop/stranger', table);
      assert.match(denied.stdout, /^A NetworkPolicy denies it/);
      assert.equal(denied.status, 1);
      assert.equal(ask(saved, 'shop/friend', table).status, 0);
    });

    it('do not hide what is certain', () => {
      const lost = saved.replace(/^-A KUBE-SERVICES .*shop\/web cluster IP.*\n/m, '');
      assert.notEqual(lost, saved);
      const denied = ask(lost, 'shop/stranger');
      assert.match(denied.stdout, /^No rule of this node has the address 10\.96\.0\.20/);
      assert.equal(denied.status, 1);
    });
  });

  it('are what reach tells of', () => {
    const table = (...more: readonly string[]) =>
      runCli(['reach', '-f', file, '--node', 'n1', '-q', 'svc/shop/web', ...more]).stdout;
    assert.match(table(), /dropped/);
    assert.doesNotMatch(table('--no-policies'), /dropped/);
  });
});
