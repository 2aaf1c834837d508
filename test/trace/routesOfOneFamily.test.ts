import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { runMany } from '../support/runMany.ts';

/** `ip route` prints IPv4 alone: of a node with both families, that says nothing about IPv6. */

const folder = mkdtempSync(join(tmpdir(), 'k8snet-routes-'));
after(() => rmSync(folder, { recursive: true }));
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return name;
};

const node = (at: number) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: `n${at}` },
  spec: { podCIDRs: [`10.244.${at}.0/24`, `fd00:10:${at}::/64`] },
  status: {
    addresses: [
      { type: 'InternalIP', address: `192.168.10.${at}` },
      { type: 'InternalIP', address: `fd00:77::${at}` },
    ],
  },
});
const slice = (addressType: string, address: string) => ({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: {
    name: `web-${addressType.toLowerCase()}`,
    namespace: 'shop',
    labels: { 'kubernetes.io/service-name': 'web' },
  },
  addressType,
  endpoints: [{ addresses: [address], nodeName: 'n2', conditions: { ready: true } }],
  ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
});
const items = [
  node(1),
  node(2),
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web', namespace: 'shop' },
    spec: {
      clusterIPs: ['10.96.0.80', 'fd00:96::80'],
      clusterIP: '10.96.0.80',
      ipFamilies: ['IPv4', 'IPv6'],
      ipFamilyPolicy: 'RequireDualStack',
      ports: [{ name: 'http', port: 80, targetPort: 8080 }],
    },
  },
  slice('IPv4', '10.244.2.7'),
  slice('IPv6', 'fd00:10:2::7'),
];
const objects = file('cluster.json', JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
const v4 = file(
  'routes4',
  'default via 192.168.10.254 dev eth0\n10.244.1.0/24 dev cni0\n10.244.2.0/24 via 192.168.10.2 dev eth0\n',
);
const v6 = file(
  'routes6',
  'fd00:10:1::/64 dev cni0 metric 256 pref medium\nfd00:77::/64 dev eth0 metric 256 pref medium\n',
);
const whole = file('whole6', 'fd00:10:2::/64 via fd00:77::2 dev eth0 metric 1024 pref medium\n');
const device = (at: number, name: string, ...addresses: readonly string[]) =>
  [
    `${at}: ${name}: <BROADCAST,UP,LOWER_UP> mtu 1500 qdisc fq state UP`,
    ...addresses.map((one) => `    inet${one.includes(':') ? '6' : ''} ${one} scope global ${name}`),
    '',
  ].join('\n');
const links = (...more: readonly string[]) =>
  `${device(2, 'eth0', '192.168.10.1/24', ...more)}${device(3, 'cni0', '10.244.1.1/24', ...more.map(() => 'fd00:10:1::1/64'))}`;
const only4 = file('links4', links('fe80::1/64').replace(/ {4}inet6 fd00.*\n/, ''));
const shown4 = file('shown4', links());
const both = file('links', links('fd00:77::1/64'));

const asked = ['why', '-f', objects, '--node', 'n1', '--from', 'fd00:10:1::9', '--to', '[fd00:96::80]:80'];
const rows: readonly (readonly [what: string, given: readonly string[], status: number, said: RegExp])[] = [
  ['of IPv4', ['--routes', v4], 0, /^assumed: IPv6 routes: from the podCIDRs of Nodes/m],
  ['of IPv4, and addresses of both', ['--routes', v4, '--addresses', both], 0, /^assumed: IPv6 routes: /m],
  ['of IPv4, and addresses of IPv4', ['--routes', v4, '--addresses', shown4], 0, /^assumed: IPv6 routes: /m],
  ['of IPv4, on a node without IPv6', ['--routes', v4, '--addresses', only4], 1, /no route/],
  ['of both, without the one that is needed', ['--routes', v4, '--routes', v6], 1, /no route/],
  ['of both', ['--routes', v4, '--routes', v6, '--routes', whole], 0, /^(?!.*assumed: IPv6 routes)/s],
];

const ended = runMany(
  rows.map(([, given]) => [...asked, ...given]),
  folder,
);
for (const [at, [what, , status, said]] of rows.entries()) {
  test(`a packet of IPv6 by routes ${what}`, () => {
    const { stdout, stderr, status: code } = ended[at] as (typeof ended)[number];
    assert.equal(code, status, stdout + stderr);
    assert.match(stdout, said);
  });
}

test('a Service of both families is in order by routes of one, and the others are asked for', () => {
  const compiled = runMany(
    ['ipv4', 'ipv6'].map((family) => ['compile', '-f', objects, '--node', 'n1', '--family', family]),
    folder,
  );
  const dumps = compiled.map(({ stdout }, at) => file(`n1.v${4 + 2 * at}.save`, stdout));
  const [checked] = runMany(
    [['check-service', 'shop/web', '-f', objects, ...dumps, '--node', 'n1', '--routes', v4]],
    folder,
  );
  assert.equal(checked?.status, 0, `${checked?.stdout}${checked?.stderr}`);
  assert.match(checked.stdout, /IPv6 routes \(`ip -6 route show table all`\)/);
});
