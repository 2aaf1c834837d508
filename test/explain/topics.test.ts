import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { bundledCli } from '../support/bundledCli.ts';

const cli = bundledCli();
const folder = mkdtempSync(join(tmpdir(), 'k8snet-explain-'));
after(() => rmSync(folder, { recursive: true }));

function written(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

const cluster = written(
  'cluster.yaml',
  `apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec:
  type: NodePort
  clusterIP: 10.96.0.5
  sessionAffinity: ClientIP
  sessionAffinityConfig: {clientIP: {timeoutSeconds: 600}}
  ports: [{name: http, port: 80, nodePort: 30080}]
---
apiVersion: v1
kind: Service
metadata: {name: db, namespace: shop}
spec: {clusterIP: 10.96.0.6, ports: [{name: sql, port: 5432}]}
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: web-1, namespace: shop, labels: {kubernetes.io/service-name: web}}
addressType: IPv4
endpoints: [{addresses: [10.244.1.3], nodeName: node}, {addresses: [10.244.2.3]}]
ports: [{name: http, port: 8080}]
`,
);

/** The lines below a heading. */
function said(heading: string, ...args: readonly string[]): readonly string[] {
  const { status, stdout, stderr } = cli(['explain', ...args, '-f', cluster, '--node-ip', '192.0.2.7', '-q']);
  assert.equal(status, 0, stderr);
  const [, below = ''] = stdout.split(`\n${heading}\n`);
  return (
    below
      .split('\n\n')[0]
      ?.split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '') ?? []
  );
}

test('session affinity over time, as the mode and the version have it', () => {
  const lines = said('shop/web:http at 10.96.0.5:80', 'session-affinity');
  assert.equal(lines[0], 'at first: one of 10.244.1.3:8080, 10.244.2.3:8080, each with a chance of 1 in 2');
  assert.match(lines[1] ?? '', /up to 600 s after the client's last new connection: the same endpoint/);
  assert.match(lines[4] ?? '', /xt_recent/);
  assert.match(said('shop/web:http at 10.96.0.5:80', 'session-affinity', '--mode', 'ipvs').join(), /virtual server/);
  assert.match(said('shop/web:http at 10.96.0.5:80', 'session-affinity', '--kube-version', '1.6').join(), /10800 s/);
  assert.match(
    said('shop/db:sql at 10.96.0.6:5432', 'session-affinity').join(),
    /no session affinity, and no endpoint/,
  );
});

test('what answers at a cluster IP, and what becomes of a ping', () => {
  const pings = (...args: readonly string[]) =>
    said('shop/web at 10.96.0.5', 'cluster-ip', ...args).find((line) => line.startsWith('ping'));
  assert.match(pings() ?? '', /no rule applies/);
  assert.match(pings('--mode', 'nftables') ?? '', /refused by the check for cluster IPs/);
  assert.match(pings('--mode', 'ipvs') ?? '', /KUBE-IPVS-FILTER/);
  assert.match(pings('--mode', 'ipvs', '--kube-version', '1.20') ?? '', /answered by the node itself/);
  assert.equal(said('shop/web at 10.96.0.5', 'cluster-ip')[0], '80/tcp: answered by one of 2 endpoints');
  assert.equal(said('shop/db at 10.96.0.6', 'cluster-ip')[0], '5432/tcp: refused: the Service has no endpoint');
});

test('what a node port opens, and where', () => {
  const heading = 'shop/web:http: node port 30080/tcp';
  assert.equal(said(heading, 'node-port')[0], 'open on every address of every node, here 127.0.0.1, 192.0.2.7');
  assert.deepEqual(said(heading, 'node-port', '--mode', 'ipvs').slice(0, 2), [
    'open on every address of every node, here 192.0.2.7',
    'not on loopback addresses',
  ]);
  const limited = said(
    heading,
    'node-port',
    '--nodeport-addresses',
    '198.51.100.0/24',
    '--node-address',
    '198.51.100.3/24',
  );
  assert.deepEqual(limited.slice(0, 2), ['open on 198.51.100.3 of this node', 'not on 192.0.2.7']);
  assert.match(said(heading, 'node-port').join(), /leads to 2 endpoints on all nodes.*sees the address of this node/);
});

test('topics in general, of one Service, and of none', () => {
  assert.match(
    cli(['explain', 'node-port']).stdout,
    /^node-port What a node port opens, and where\n\n {2}A Service of type/,
  );
  const none = cli(['explain', 'node-port', '-f', cluster, '--service', 'shop/db', '-q']);
  assert.match(none.stdout, /it says nothing of Service shop\/db\n$/);
  const wrong = cli(['explain', 'node-prt']);
  assert.equal(wrong.status, 2);
  assert.match(wrong.stderr, /did you mean node-port\?/);
  assert.match(cli(['explain', '--list']).stdout, /^session-affinity Which endpoint/m);
});

test('what each setting changes, against its default, in the mode', () => {
  const config = written(
    'config.yaml',
    `apiVersion: kubeproxy.config.k8s.io/v1alpha1
kind: KubeProxyConfiguration
mode: ipvs
clusterCIDR: 10.244.0.0/16
iptables: {masqueradeBit: 14, localhostNodePorts: false}
ipvs: {scheduler: lc}
metricsBindAddress: 0.0.0.0:10249
`,
  );
  const { status, stdout } = cli(['explain', '--config', config]);
  assert.equal(status, 0);
  for (const line of [
    'mode: "ipvs" (default: "iptables")',
    'clusterCIDR: "10.244.0.0/16" (default: "")',
    'iptables.masqueradeBit: 14 (as by default)',
    'iptables.localhostNodePorts: false (without effect in ipvs mode)',
    'ipvs.scheduler: "lc" (default: "rr")',
    'metricsBindAddress\n  changes no rule.',
  ]) {
    assert.ok(stdout.includes(`${line}\n`), `${line}\n${stdout}`);
  }
  assert.equal(cli(['explain', '--config', cluster]).status, 2);
});
