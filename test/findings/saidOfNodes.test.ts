import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { diagnoseDump } from '../../src/diff/diagnoseDump.ts';
import { readDumps } from '../../src/dump/readDumps.ts';
import { podRouteChecks } from '../../src/findings/checks/node/podRouteChecks.ts';
import type { Finding } from '../../src/findings/finding.ts';
import { compileText } from '../support/compileText.ts';

/** What a node shows by itself, in small: each row is the least that a check needs, and all that is said of it. */

const told = ({ code, severity, service, what }: Finding) =>
  `${code} ${severity}${service === undefined ? '' : ` ${service}`}: ${what}`;

const read = (...texts: readonly string[]) =>
  readDumps(
    texts.map((text, at) => ({ name: `file${at}`, text })),
    { name: 'node' },
  );

const table = (name: string, ...lines: readonly string[]) => [`*${name}`, ...lines, 'COMMIT\n'].join('\n');

/** A Service's rule that refuses, or drops, for lack of endpoints. */
const refusing = (lack: string, target: string) =>
  table(
    'filter',
    ':KUBE-SERVICES - [0:0]',
    `-A KUBE-SERVICES -d 10.96.0.9/32 -p tcp -m comment --comment "shop/web:http has no ${lack}" -m tcp --dport 80 -j ${target}`,
  );

const chainsOfMangle = [':PREROUTING ACCEPT [0:0]', ':KUBE-PROXY-CANARY - [0:0]'];
const hooks = [':PREROUTING', ':INPUT', ':OUTPUT', ':POSTROUTING'].map((chain) => `${chain} ACCEPT [0:0]`);
/** KUBE-SERVICES is there, and the canary is missing in this table. */
const nat = (...more: readonly string[]) =>
  table(
    'nat',
    ...hooks,
    ':KUBE-SERVICES - [0:0]',
    ...more,
    '-A PREROUTING -j KUBE-SERVICES',
    '-A OUTPUT -j KUBE-SERVICES',
  );

const device = (name: string, mtu: number, address: string, more = '') =>
  `${name === 'eth0' ? 2 : name.length}: ${name}: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu ${mtu} qdisc fq${more} state UP group default\n    inet ${address} scope global ${name}\n`;
const interfaces = (uplink: number, tunnel: number, bridge: number) =>
  `${device('eth0', uplink, '192.168.10.1/24')}${device('flannel.1', tunnel, '10.244.1.0/32')}${device('cni0', bridge, '10.244.1.1/24')}`;
/** Marks are wiped in a chain that another one leads to. */
const wiping = (from: string) =>
  table(
    'mangle',
    ...[':PREROUTING', ':INPUT', ':FORWARD', ':OUTPUT', ':POSTROUTING'].map((chain) => `${chain} ACCEPT [0:0]`),
    ':OTHER - [0:0]',
    `-A ${from} -j OTHER`,
    '-A OTHER -j MARK --set-xmark 0x0/0xffffffff',
  );
/** The policy of FORWARD drops, and another program's chain accepts some of what it is asked. */
const closed = (jump: string) =>
  table(
    'filter',
    ':INPUT ACCEPT [0:0]',
    ':FORWARD DROP [0:0]',
    ':OUTPUT ACCEPT [0:0]',
    ':KUBE-FORWARD - [0:0]',
    ':ufw-user-forward - [0:0]',
    '-A FORWARD -j KUBE-FORWARD',
    `-A FORWARD ${jump}-j ufw-user-forward`,
    '-A KUBE-FORWARD -m mark --mark 0x4000/0x4000 -j ACCEPT',
    '-A ufw-user-forward -i eth1 -j ACCEPT',
  );
const byDefault = 'default via 192.168.10.254 dev eth0\n';

const rows: readonly (readonly [what: string, texts: readonly string[], ids: RegExp, said: readonly string[]])[] = [
  [
    'a Service without endpoints',
    [refusing('endpoints', 'REJECT --reject-with icmp-port-unreachable')],
    /K8N50/,
    ['K8N501 info shop/web:http: shop/web:http has no endpoints: connections are refused'],
  ],
  [
    'a Service without endpoints here',
    [refusing('local endpoints', 'DROP')],
    /K8N50/,
    ['K8N502 info shop/web:http: shop/web:http has no endpoint on this node: traffic from outside is dropped here'],
  ],
  ['other comments', [refusing('friends', 'DROP')], /K8N50/, []],
  [
    'a canary that one table lacks',
    [table('mangle', ...chainsOfMangle), nat()],
    /K8N208/,
    ['K8N208 warning: no chain KUBE-PROXY-CANARY in the table nat'],
  ],
  ['a canary in both', [table('mangle', ...chainsOfMangle), nat(':KUBE-PROXY-CANARY - [0:0]')], /K8N208/, []],
  [
    'Pods that send more than the tunnel takes',
    [interfaces(1500, 1450, 1500), byDefault],
    /K8N523/,
    ['K8N523 warning: cni0 takes packets of 1500 bytes, and flannel.1, by which they go to other nodes, of 1450'],
  ],
  [
    'a tunnel that sends more than the network below takes',
    [interfaces(1450, 1450, 1450), byDefault],
    /K8N523/,
    ['K8N523 warning: flannel.1 takes packets of 1450 bytes and adds 50, and eth0 below it takes 1450'],
  ],
  ['a tunnel as it should be', [interfaces(1500, 1450, 1450), byDefault], /K8N523/, []],
  ['marks that are wiped before kube-proxy sets its own', [nat(), wiping('PREROUTING')], /K8N406/, []],
  [
    'marks that are wiped behind it',
    [nat(), wiping('FORWARD')],
    /K8N406/,
    ['K8N406 warning: OTHER holds -A OTHER -j MARK --set-xmark 0x0/0xffffffff'],
  ],
  ['a policy that drops, beside a chain that accepts Pods', [nat(), closed('')], /K8N504/, []],
  [
    'a policy that drops, beside a chain that is not asked about Pods',
    [nat(), closed('-p icmp ')],
    /K8N504/,
    ['K8N504 error: the policy of FORWARD is DROP: packets to Pods that carry no mark are lost'],
  ],
  [
    'a kube-proxy whose last sync was long ago',
    ['{"lastUpdated": "2026-11-24 14:00:20 +0000 UTC m=+1","currentTime": "2026-11-24 14:14:20.5 +0000 UTC m=+9"}'],
    /K8N217/,
    [
      'K8N217 error: kube-proxy says that it is not healthy: its last successful sync of rules was 14 min ago, and changes wait',
    ],
  ],
];

describe('a node shows by itself', () => {
  for (const [what, texts, ids, said] of rows) {
    it(what, () => {
      const dump = read(...texts);
      assert.deepEqual(dump.unread, []);
      assert.deepEqual(
        diagnoseDump(dump)
          .findings.filter(({ code }) => ids.test(code))
          .map(told),
        said,
      );
    });
  }
});

const nodes = ['n1', 'n2', 'n3'].map((name, at) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name },
  spec: { podCIDR: `10.244.${at + 1}.0/24` },
  status: { addresses: [{ type: 'InternalIP', address: `192.168.10.${at + 1}` }] },
}));
const here = `${byDefault}10.244.1.0/24 dev cni0\n`;

describe('routes to the Pods of other nodes', () => {
  for (const [what, routes, said] of [
    ['are there', '10.244.2.0/24 via 192.168.10.2 dev eth0\n10.244.3.0/24 via 192.168.10.3 dev eth0\n', []],
    [
      'are missing',
      '10.244.2.0/24 via 192.168.10.2 dev eth0\n',
      ['K8N521 error: Node n3 has Pods in 10.244.3.0/24, and only the default route leads there'],
    ],
    [
      'lead to another node',
      '10.244.2.0/24 via 192.168.10.3 dev eth0\n10.244.3.0/24 via 192.168.10.3 dev eth0\n',
      ['K8N522 error: Node n2 has Pods in 10.244.2.0/24, and its route leads to 192.168.10.3, which is Node n3'],
    ],
    ['are those of the network beyond', '', []],
    [
      'are in another table',
      '10.244.2.0/24 via 192.168.10.2 dev eth0\n10.244.3.0/24 via 192.168.10.3 dev eth0 table 100\n',
      [],
    ],
    [
      'are not in the table of a proxy',
      '10.244.2.0/24 via 192.168.10.2 dev eth0\nlocal default dev lo table 2004 scope host\n',
      ['K8N521 error: Node n3 has Pods in 10.244.3.0/24, and only the default route leads there'],
    ],
  ] as const) {
    it(what, async () => {
      const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: nodes });
      const { compiled } = await compileText(list, '--node', 'n1');
      assert.deepEqual(podRouteChecks(compiled, read(`${here}${routes}`)).map(told), said);
    });
  }

  const both = nodes.map((node, at) => ({
    ...node,
    spec: { podCIDRs: [node.spec.podCIDR, `fd00:10:${at + 1}::/64`] },
    status: {
      addresses: [...node.status.addresses, { type: 'InternalIP', address: `fd00:77::${at + 1}` }],
    },
  }));
  const ipv4 = `${here}10.244.2.0/24 via 192.168.10.2 dev eth0\n10.244.3.0/24 via 192.168.10.3 dev eth0\n`;
  const ipv6 = 'fd00:10:1::/64 dev cni0 metric 256 pref medium\nfe80::/64 dev eth0 metric 256 pref medium\n';
  const ends = (range: string, at: number) => [
    `K8N521 error: Node n${at} has Pods in ${range}, and there is no route to it`,
  ];
  for (const [what, texts, said] of [
    ['of IPv6 are not given', [ipv4], []],
    ['of IPv6 are all missing', [ipv4, ipv6], [...ends('fd00:10:2::/64', 2), ...ends('fd00:10:3::/64', 3)]],
    [
      'of IPv6 are those of the network beyond',
      [ipv4, `${ipv6}default via fe80::1 dev eth0 metric 1024 pref medium\n`],
      [],
    ],
    ['of both families stand in one file', [`${ipv4}${ipv6}default dev eth0 metric 1024 pref medium\n`], []],
  ] as const) {
    it(what, async () => {
      const list = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: both });
      const { compiled } = await compileText(list, '--node', 'n1');
      assert.deepEqual(podRouteChecks(compiled, read(...texts)).map(told), said);
    });
  }
});
