import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { runCli } from '../support/runCli.ts';

/** Questions about a node whose rules the packet does not meet, as its sender is a Pod of another one; and about ways back. */
const folder = mkdtempSync(join(tmpdir(), 'k8snet-other-node-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const pods = [
  { name: 'near', node: 1, address: '10.244.1.7' },
  { name: 'far', node: 2, address: '10.244.2.7' },
  { name: 'client', node: 2, address: '10.244.2.9' },
];
const items = [
  ...[1, 2, 3].map((at) => ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: `n${at}` },
    spec: { podCIDR: `10.244.${at}.0/24` },
    status: { addresses: [{ type: 'InternalIP', address: `192.168.5.${at}` }] },
  })),
  ...pods.map(({ name, node, address }) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'shop' },
    spec: { nodeName: `n${node}`, containers: [{ name: 'c', image: 'i' }] },
    status: { phase: 'Running', podIP: address, podIPs: [{ ip: address }] },
  })),
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web', namespace: 'shop' },
    spec: { type: 'NodePort', clusterIP: '10.96.0.20', ports: [{ name: 'http', port: 80, nodePort: 30080 }] },
  },
  {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: 'web-1', namespace: 'shop', labels: { 'kubernetes.io/service-name': 'web' } },
    addressType: 'IPv4',
    ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
    endpoints: pods
      .slice(0, 2)
      .map(({ node, address }) => ({ addresses: [address], nodeName: `n${node}`, conditions: { ready: true } })),
  },
];
const file = join(folder, 'cluster.json');
writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));

const unknown =
  /^Unknown: shop\/client runs on node n2, whose rules translate what it sends to the cluster IP 10\.96\.0\.20: /;
const asked: readonly (readonly [words: string, status: number, says: RegExp])[] = [
  ['why --node n1 --from shop/client --to shop/web:80', 3, unknown],
  ['why --node n1 --from 10.244.2.9 --to 10.96.0.20:80', 3, unknown],
  ['why --node n1 --from shop/client --to shop/web:80 --mode nftables', 3, unknown],
  // Where no object shows the Pod, the route to its address does.
  [
    'why --node n1 --from 10.244.2.77 --to shop/web:80',
    3,
    /^Unknown: 10\.244\.2\.77 is a Pod of node n2, whose rules /,
  ],
  ['why --node n1 --from node/n2 --to shop/web:80', 3, /^Unknown: 192\.168\.5\.2 is node n2, whose rules translate /],
  ['why --node n2 --from 10.244.2.77 --to shop/web:80', 0, /^It arrives/],
  // A trace is about a packet that is here, however it came.
  ['trace --node n1 --from shop/client --to shop/web:80', 0, /The answer does not come back by this node/],
  ['why --node n2 --from shop/client --to shop/web:80', 0, /^It arrives/],
  // Somebody who knows how it comes means this node.
  ['why --node n1 --from shop/client --to shop/web:80 --in eth0', 1, /The answer does not come back by this node/],
  // Such packets do come here.
  ['why --node n1 --from shop/client --to 10.244.1.7:8080', 0, /^It arrives/],
  ['why --node n1 --from shop/client --to 192.168.5.1:30080', 0, /^It arrives/],
  ['why --node n1 --from shop/near --to shop/web:80', 0, /^It arrives/],
];
for (const [words, status, says] of asked) {
  it(words, () => {
    const [command = '', ...more] = words.split(' ');
    const run = runCli([command, '-f', file, '--cluster-cidr', '10.244.0.0/16', ...more]);
    assert.match(run.stdout, says);
    assert.equal(run.status, status, run.stdout + run.stderr);
    if (says === unknown)
      assert.match(run.stdout, /→ Ask node n2: `k8snet why` with its dump, or with node\/n2 and --live\./);
  });
}

it('an answer without a route is a question of routes, not of rules', () => {
  const routes = join(folder, 'routes.txt');
  writeFileSync(
    routes,
    '192.168.5.0/24 dev eth0 scope link\n10.244.1.0/24 dev cni0 scope link\n10.244.2.0/24 via 192.168.5.2 dev eth0\n',
  );
  const packet = ['--from', '203.0.113.9', '--to', '192.168.5.1:30080', '--in', 'eth0'];
  const run = runCli(['why', '-f', file, '--node', 'n1', '--routes', routes, ...packet]);
  assert.match(run.stdout, /The answer is lost on its way back: no route\.\n {2}→ Check the routes/);
  assert.match(run.stdout, /`ip route get 203\.0\.113\.9` shows which route/);
  assert.equal(run.status, 1);
});

it('what lacks in the routes does not make rules differ', () => {
  const ofNode = ['-f', file, '--node', 'n1', '--cluster-cidr', '10.244.0.0/16'];
  const dump = join(folder, 'node.save');
  const saved = runCli(['compile', ...ofNode, '-o', 'save']).stdout;
  writeFileSync(dump, saved.replace(/^-A PREROUTING .*KUBE-SERVICES\n/m, ''));
  const routes = join(folder, 'without-n3.txt');
  writeFileSync(
    routes,
    'default via 192.168.5.254 dev eth0\n192.168.5.0/24 dev eth0 scope link\n10.244.1.0/24 dev cni0 scope link\n10.244.2.0/24 via 192.168.5.2 dev eth0\n',
  );
  assert.match(
    runCli(['diff', ...ofNode, '--routes', routes, dump]).stdout,
    /K8N521 Node n3 has Pods in 10\.244\.3\.0/,
  );
  const packet = ['--from', 'shop/near', '--to', 'shop/web:80'];
  const { stdout } = runCli(['why', ...ofNode, '--routes', routes, ...packet, dump]);
  assert.match(stdout, /The node treats this packet otherwise.*K8N207/s);
  assert.doesNotMatch(stdout, /K8N521/);
});

it('a sender is outside by the range of its own family alone', () => {
  const [both, dump] = [join(folder, 'both.json'), join(folder, 'both.txt')];
  const dual = items.map((item) => {
    const { kind, metadata, spec } = item as { kind: string; metadata: { name: string }; spec?: object };
    if (kind === 'EndpointSlice')
      return {
        ...item,
        metadata: { ...metadata, name: 'web-6' },
        addressType: 'IPv6',
        endpoints: [{ addresses: ['fd00:10:1::7'] }],
      };
    if (kind !== 'Service') return item;
    const ips = ['10.96.0.20', 'fd00:96::20'];
    return {
      ...item,
      spec: { ...spec, clusterIPs: ips, ipFamilies: ['IPv4', 'IPv6'], ipFamilyPolicy: 'RequireDualStack' },
    };
  });
  const slices = items.filter(({ kind }) => kind === 'EndpointSlice');
  writeFileSync(both, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [...dual, ...slices] }));
  // Rules over IPv4 know no range of Pods.
  const compiled = ['ipv4', 'ipv6'].map((family) => {
    const target = ['--node', 'n1', '--node-ip', '192.168.5.1,fd77::1', '--cluster-cidr', 'fd00:10::/32'];
    return runCli(['compile', '-q', '-f', both, ...target, '--family', family]).stdout;
  });
  assert.match(compiled.join('\n'), /fd00:10::\/32/);
  writeFileSync(dump, compiled.join('\n'));
  const ask = (from: string, to: string) => runCli(['why', '--from', from, '--to', to, dump]);
  const outside = /^\S+ is a cluster IP: networks outside the cluster have no route/;
  assert.equal(ask('10.244.1.77', '10.96.0.20:80').status, 3);
  assert.match(ask('198.51.100.7', '10.96.0.20:80').stdout, outside);
  assert.match(ask('fd55::7', '[fd00:96::20]:80').stdout, outside);
});

it('a sender near the range of a node may be a Pod of another one', () => {
  const dump = join(folder, 'node-range.txt');
  const target = ['--node', 'n1', '--cluster-cidr', '10.244.1.0/24', '--family', 'ipv4'];
  writeFileSync(dump, runCli(['compile', '-q', '-f', file, ...target]).stdout);
  const ask = (from: string) => runCli(['why', '--from', from, '--to', '10.96.0.20:80', dump]).stdout;
  const outside = /^10\.96\.0\.20 is a cluster IP: networks outside the cluster have no route/;
  assert.doesNotMatch(ask('10.244.9.9'), /outside the cluster/);
  assert.match(ask('10.245.9.9'), outside);
  assert.match(ask('192.168.1.9'), outside);
});
