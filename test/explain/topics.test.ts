import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Ajv } from 'ajv';
import { generalTopics } from '../../src/explain/generalTopics.ts';
import { root } from '../support/compileCase.ts';
import { runCli } from '../support/runCli.ts';

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
  const { status, stdout, stderr } = runCli(['explain', ...args, '-f', cluster, '--node-ip', '192.0.2.7', '-q']);
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
    runCli(['explain', 'node-port']).stdout,
    /^node-port What a node port opens, and where\n\n {2}A Service of type/,
  );
  const none = runCli(['explain', 'node-port', '-f', cluster, '--service', 'shop/db', '-q']);
  assert.match(none.stdout, /it says nothing of Service shop\/db\n$/);
  const wrong = runCli(['explain', 'node-prt']);
  assert.equal(wrong.status, 2);
  assert.match(wrong.stderr, /did you mean node-port\?/);
  assert.match(runCli(['explain', '--list']).stdout, /^session-affinity Which endpoint/m);
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
  const { status, stdout } = runCli(['explain', '--config', config]);
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
  assert.equal(runCli(['explain', '--config', cluster]).status, 2);
});

test('a Service as kubectl describes it, and every way in', () => {
  const objects = written(
    'service.yaml',
    `apiVersion: v1
kind: Service
metadata: {name: lb, namespace: shop}
spec:
  type: LoadBalancer
  clusterIP: 10.96.0.7
  loadBalancerIP: 78.11.24.19
  loadBalancerSourceRanges: [192.0.2.0/24]
  externalTrafficPolicy: Local
  externalIPs: [80.11.12.10]
  selector: {app: web}
  ports: [{name: http, port: 80, targetPort: web, nodePort: 30081}]
status: {loadBalancer: {ingress: [{ip: 146.148.47.155}]}}
---
apiVersion: v1
kind: Service
metadata: {name: db, namespace: shop}
spec: {clusterIP: None, selector: {app: db}, ports: [{port: 5432}]}
---
apiVersion: v1
kind: Service
metadata: {name: out, namespace: shop}
spec: {type: ExternalName, externalName: db.example.com}
---
apiVersion: v1
kind: Pod
metadata: {name: web-1, namespace: shop, labels: {app: web}}
spec: {nodeName: n1, containers: [{name: c, ports: [{name: web, containerPort: 8080}]}]}
status: {phase: Running, podIP: 10.244.1.3, conditions: [{type: Ready, status: "True"}]}
---
apiVersion: v1
kind: Pod
metadata: {name: web-2, namespace: shop, labels: {app: web}}
spec: {nodeName: n2, containers: [{name: c, ports: [{name: web, containerPort: 8081}]}]}
status: {phase: Running, podIP: 10.244.2.3, conditions: [{type: Ready, status: "False"}]}
---
apiVersion: v1
kind: Node
metadata: {name: n1}
status: {addresses: [{type: InternalIP, address: 192.168.0.1}]}
---
apiVersion: v1
kind: Node
metadata: {name: n2}
status: {addresses: [{type: InternalIP, address: 192.168.0.2}]}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: front, namespace: shop}
spec: {rules: [{host: shop.example, http: {paths: [{path: "/\\e[1m", pathType: Prefix, backend: {service: {name: lb, port: {number: 80}}}}]}}]}
`,
  );
  const { stdout, status, stderr } = runCli(['explain', 'service', '-f', objects, '--node', 'n1', '-q']);
  assert.equal(status, 0, stderr);
  const [, below] = stdout.split('cluster IP: no ping, and no other port.\n\n');
  assert.equal(
    below,
    `shop/db: headless
  selects app=db: no Pod of the input
  no cluster IP: its name stands for the addresses of its endpoints, and kube-proxy has no rules for it
  port <unset> 5432/TCP: no endpoints
  from outside: not reachable

shop/lb: LoadBalancer
  selects app=web: Pods web-1, web-2
  cluster IP 10.96.0.7
  port http 80/TCP to web, node port 30081: 10.244.1.3:8080
    not ready: 10.244.2.3:8081
  session affinity None: each connection goes to any endpoint
  inside the cluster: 10.96.0.7:80/TCP
  from outside: port 30081/TCP of every node that has an endpoint: 192.168.0.1
  from outside: load balancer 146.148.47.155:80/TCP, for clients in 192.0.2.0/24
  from outside: external IP, if the network leads it to a node: 80.11.12.10:80/TCP
  from outside: http://shop.example/\\x1b[1m by Ingress front
  78.11.24.19 was requested but not assigned: nothing answers there

shop/out: ExternalName
  selects no Pods: its endpoints are created by hand or by another controller
  no cluster IP: its name is an alias of db.example.com, and kube-proxy has no rules for it
`,
  );
});

test('what each mode puts on the node is what it compiles to', () => {
  const { stdout } = runCli(['explain', 'modes', '-f', cluster, '-o', 'json', '-q']);
  const said = (JSON.parse(stdout) as { pages: { services: { heading: string; lines: string[] }[] }[] }).pages[0]
    ?.services;
  assert.deepEqual(
    said?.map(({ heading }) => heading),
    ['iptables mode', 'ipvs mode', 'nftables mode'],
  );
  const rulesOf = (family: string) =>
    runCli(['compile', '-f', cluster, '--family', family, '-q'])
      .stdout.split('\n')
      .filter((line) => line.startsWith('-A'));
  const rules = [...rulesOf('ipv4'), ...rulesOf('ipv6')].length;
  assert.equal(said?.[0]?.lines[0], `${rules} rules`);
  const [, nat = ''] = runCli(['compile', '-f', cluster, '--family', 'ipv4', '-q']).stdout.split('*nat\n');
  const dispatch = nat.split('\n').filter((line) => line.startsWith('-A KUBE-SERVICES ')).length;
  assert.match(said?.[0]?.lines[1] ?? '', new RegExp(`up to ${dispatch} rules before`));
  assert.match(said?.[1]?.lines[0] ?? '', /^\d+ virtual servers with \d+ real servers?, /);
});

test('everything as JSON, by its schema', () => {
  const ajv = new Ajv({ allErrors: true });
  const isValid = ajv.compile(JSON.parse(readFileSync(join(root, 'schema/explain-output.schema.json'), 'utf8')));
  for (const args of [
    ['K8N203', 'duplicate-cluster-ip', 'service', 'modes'],
    ['service', 'session-affinity', 'cluster-ip', '-f', cluster, '--service', 'shop/web'],
    ['--list'],
    [
      '--config',
      written('c.yaml', 'apiVersion: kubeproxy.config.k8s.io/v1alpha1\nkind: KubeProxyConfiguration\nmode: ipvs\n'),
    ],
  ]) {
    const { stdout, stderr } = runCli(['explain', ...args, '-o', 'json', '-q']);
    assert.ok(isValid(JSON.parse(stdout)), `${JSON.stringify(isValid.errors)}${stderr}`);
  }
  assert.equal(isValid({ schema: 'k8snet.explain/v1', pages: [{ kind: 'other' }] }), false);
  assert.equal(runCli(['explain', 'nothing', '-o', 'json']).stdout, '');
});

test('a Service behind a topic is told how Services are chosen', async () => {
  for (const [name, shown] of [
    ['web', 'NAMESPACE/web'],
    ['shop/web', 'shop/web'],
  ]) {
    const { status, stderr } = await runCli(['explain', 'service', name as string, '-f', cluster]);
    assert.equal(status, 2);
    assert.match(
      stderr,
      new RegExp(`hint: k8snet explain service --service ${shown} -f MANIFESTS explains it for one`),
    );
  }
  const { stderr } = await runCli(['explain', 'service', '$(id)', '-f', cluster]);
  assert.match(stderr, /hint: k8snet explain --list names/);
});

test('fields of a Service that are deprecated have a topic, with the version', () => {
  assert.match(runCli(['explain', 'externalIPs']).stdout, /^external-ips .*deprecated since\s+1\.36/s);
  assert.match(runCli(['explain', 'loadBalancerIP']).stdout, /^load-balancer-ip .*deprecated since\s+1\.24/s);
});

test('a general topic is printed whole, with objects or without', () => {
  assert.ok(Object.keys(generalTopics).length > 3);
  for (const [name, topic] of Object.entries(generalTopics)) {
    const { title, about } = topic;
    const { status, stdout, stderr } = runCli(['explain', name]);
    assert.equal(status, 0, stderr);
    const words = stdout.replace(/\s+/g, ' ');
    for (const text of [name, title, ...about]) assert.ok(words.includes(text), `${name}: ${text}`);
    assert.equal(runCli(['explain', name, '-f', cluster]).stdout, stdout, name);
    // Whoever reads a version can look it up.
    const namesVersion = about.some((text) => /\b1\.\d+\b/.test(text));
    assert.equal(/\n {2}see also\n {2}https:/.test(stdout), namesVersion || 'refs' in topic, name);
  }
});
