import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { DumpFile } from '../../src/dump/dumpFile.ts';
import { readDumps } from '../../src/dump/readDumps.ts';
import type { NetworkRoute } from '../../src/node/networkFacts.ts';

/** What net-tools, iproute2 and sysctl printed in one network namespace, and what the posts show of theirs. */
const recorded = (name: string): DumpFile => ({ name, text: readFileSync(`fixtures/facts/${name}`, 'utf8') });
const read = (...files: readonly DumpFile[]) => readDumps(files, { name: 'n' });
const networkOf = (...names: readonly string[]) => {
  const { network, unread } = read(...names.map(recorded));
  assert.deepEqual(unread, [], names.join());
  return network;
};

/** What the tables of net-tools can show of a route. */
const inTable = ({ source: _, hasMoreHops: __, ...route }: NetworkRoute): NetworkRoute => route;
const sorted = (routes: readonly NetworkRoute[]) => routes.map((route) => JSON.stringify(sortedKeys(route))).sort();
const sortedKeys = (route: object) => Object.fromEntries(Object.entries(route).sort(([a], [b]) => (a < b ? -1 : 1)));

test('route and netstat show the routes that ip route shows', () => {
  const expected = networkOf('ip-route.txt').routes.map(inTable);
  for (const name of ['route-n.txt', 'route.txt'])
    assert.deepEqual(sorted(networkOf(name).routes), sorted(expected), name);
  // Names of interfaces may be cut to six letters; a list of interfaces tells what was cut.
  const cut = expected.map((route) => (route.device === 'eth0.100' ? { ...route, device: 'eth0.1' } : route));
  assert.deepEqual(sorted(networkOf('route-ee.txt').routes), sorted(cut));
  assert.deepEqual(sorted(networkOf('route-ee.txt', 'ip-br-addr.txt').routes), sorted(expected));
  const withoutMetric = expected.map((route) => ({ ...route, metric: 0 }));
  assert.deepEqual(sorted(networkOf('netstat-rn.txt', 'ip-addr.txt').routes), sorted(withoutMetric));
});

test('the tables of IPv6 show the main and the local routes of ip route', () => {
  const expected = networkOf('ip-6-route-all.txt').routes.map((route) => {
    const { device, ...rest } = inTable(route);
    return { ...rest, ...(route.type !== 'unreachable' && device && { device }) };
  });
  for (const name of ['route-6-n.txt', 'netstat-6.txt'])
    assert.deepEqual(sorted(networkOf(name).routes), sorted(expected), name);
});

test('ifconfig and ip addr in all forms show the same interfaces', () => {
  const addresses = (name: string) =>
    new Map(networkOf(name).interfaces.map((one) => [one.name, one.addresses.map(({ cidr }) => cidr).sort()]));
  const expected = addresses('ip-addr.txt');
  assert.deepEqual(addresses('ip-d-addr.txt'), expected);
  assert.deepEqual(addresses('ip-br-addr.txt'), expected);
  // Of several IPv4 addresses without a label ifconfig shows the first.
  const shown = addresses('ifconfig-a.txt');
  assert.deepEqual(
    shown.get('kube-ipvs0')?.filter((cidr) => !cidr.includes(':')),
    ['10.96.0.1/32'],
  );
  shown.set('kube-ipvs0', expected.get('kube-ipvs0') as string[]);
  assert.deepEqual([...shown].sort(), [...expected].sort());
});

test('the listings of the posts', () => {
  const flannel = (name: string) =>
    networkOf(name).routes.map(({ destination, via, device }) => `${destination} ${via ?? '-'} ${device}`);
  assert.deepEqual(flannel('post-004-route-n.zenlinnode1.txt'), [
    '0.0.0.0/0 10.229.52.1 eth0',
    '10.229.52.0/23 - eth0',
    '10.244.0.0/16 - flannel.1',
    '172.17.0.0/16 - docker0',
  ]);
  assert.equal(flannel('post-004-route-n.zenlinnode2.txt')[1], '10.229.44.0/23 - eth0');
  assert.deepEqual(networkOf('post-004-ifconfig.txt').interfaces, [
    { name: 'eth0', addresses: [{ cidr: '10.244.1.145/32' }], mtu: 1500 },
    { name: 'lo', addresses: [{ cidr: '127.0.0.1/8' }], mtu: 65536 },
  ]);
});

test('rows that a search left, commands typed above them, and rows that are none', () => {
  const text = `[root@n1 ~]# route -n | grep flannel
10.244.0.0      0.0.0.0         255.255.0.0     U     0      0        0 flannel.1
[root@n1 ~]# ip route
10.1.0.0/16 via 10.0.0.2 dev eth0
10.2.0.0/16 via 10.0.0.3 dev eth0 dead
10.3.0.0        10.0.0.1        255.0.255.0     UG    0      0        0 eth0
`;
  const { network, unread } = read({ name: 'r', text });
  assert.deepEqual(
    network.routes.map(({ destination }) => destination),
    ['10.1.0.0/16', '10.244.0.0/16'],
  );
  assert.deepEqual(
    unread.map(({ line }) => line),
    [6],
  );
});

test('addresses of kube-ipvs0: ifconfig does not show all, and nothing is concluded from what it leaves out', () => {
  const ipvs = { name: 'ipvsadm.txt', text: 'TCP  10.96.0.10:53 rr\nTCP  [fd00:96::10]:53 rr\n' };
  const table = (...files: readonly DumpFile[]) =>
    read(ipvs, ...files).addresses.map(({ family, tables }) => {
      const addresses = tables.get('addresses');
      return [family, addresses?.isWhole, addresses?.chains.get('kube-ipvs0')?.text.split('\n').sort().join(' ')];
    });
  const six = 'fd00:96::1 fd00:96::10 fd00:96::20';
  assert.deepEqual(table(recorded('ifconfig-a.txt')), [
    ['ipv6', true, six],
    ['ipv4', false, '10.96.0.1'],
  ]);
  const whole = [
    ['ipv4', true, '10.96.0.1 10.96.0.10 10.96.0.20'],
    ['ipv6', true, six],
  ];
  assert.deepEqual(table(recorded('ip-br-addr.txt')).sort(), whole);
  assert.deepEqual(table(recorded('ifconfig-a.txt'), recorded('ip-route-all.txt')).sort(), whole);
  assert.deepEqual(table(recorded('post-004-ifconfig.txt')), []);
  assert.match(
    read(ipvs, recorded('route-n.txt')).notes.join(),
    /route-n.txt shows no addresses.*ip route show table all/,
  );
  assert.deepEqual(read(recorded('route-n.txt')).notes, []);
});

test('sysctl -a, some settings, sysctl.conf, and settings that the kernel does not have', () => {
  const whole = networkOf('sysctl-a.txt');
  assert.equal(whole.sysctls.get('net.ipv4.conf.eth0.100.rp_filter'), 0);
  assert.equal(whole.sysctls.get('net.bridge.bridge-nf-call-iptables'), 1);
  assert.equal(whole.sysctls.has('net.ipv4.tcp_rmem'), false);
  assert.deepEqual([...whole.missingSysctls], ['net.ipv4.vs.conntrack']);
  const some = networkOf('sysctl-missing.txt');
  assert.deepEqual(
    [...some.sysctls],
    [
      ['net.ipv4.ip_forward', 0],
      ['net.bridge.bridge-nf-call-iptables', 1],
    ],
  );
  assert.deepEqual([...some.missingSysctls], ['net.ipv4.vs.conntrack']);
  const conf = '# /etc/sysctl.d/k8s.conf\n; more\n-net.ipv4.ip_forward=1\nnet/ipv4/conf/eth0.100/rp_filter = 2\n';
  const { sysctls } = read({ name: 'c', text: conf }).network;
  assert.deepEqual(
    [...sysctls],
    [
      ['net.ipv4.ip_forward', 1],
      ['net.ipv4.conf.eth0.100.rp_filter', 2],
    ],
  );
  const busybox = "sysctl: error: 'net.bridge.bridge-nf-call-iptables' is an unknown key\n";
  assert.deepEqual(
    [...read({ name: 'b', text: busybox }).network.missingSysctls],
    ['net.bridge.bridge-nf-call-iptables'],
  );
});

test('lsmod and /proc/modules, whole and searched', () => {
  const { modules } = networkOf('lsmod.txt');
  assert.equal(modules?.isWhole, true);
  assert.equal(modules?.names.has('br_netfilter'), true);
  const rows = recorded('lsmod.txt').text.split('\n').slice(1);
  const searched = rows.filter((row) => row.includes('ip_vs')).join('\n');
  assert.deepEqual(read({ name: 'm', text: searched }).network.modules, {
    names: new Set(['ip_vs_sh', 'ip_vs_wrr', 'ip_vs_rr', 'ip_vs', 'nf_conntrack']),
    isWhole: false,
  });
  const proc = 'ip_vs_rr 12288 0 - Live 0x0000000000000000\nip_vs 200704 2 ip_vs_rr, Live 0x0000000000000000\n';
  assert.deepEqual([...(read({ name: 'p', text: proc }).network.modules?.names ?? [])], ['ip_vs_rr', 'ip_vs']);
});
