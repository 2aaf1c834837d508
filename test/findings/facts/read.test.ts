import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { DumpFile } from '../../../src/dump/dumpFile.ts';
import { type DumpKind, dumpKind } from '../../../src/dump/dumpKind.ts';
import { readDumps } from '../../../src/dump/readDumps.ts';
import { linesOf } from '../../../src/node/lines/chainLines.ts';
import { everyTool } from '../../../src/node/ruleKinds.ts';
import { root } from '../../support/compileCase.ts';

const folder = join(root, 'fixtures/diff/facts');
const capture = (name: string) => readFileSync(join(folder, name), 'utf8');
const read = (...files: readonly Omit<DumpFile, 'name'>[]) =>
  readDumps(
    files.map((file, at) => ({ name: `file${at}`, ...file })),
    { name: 'node' },
  );
/** `family: addresses` of kube-ipvs0. */
const addresses = (...files: readonly Omit<DumpFile, 'name'>[]) =>
  everyTool(read(...files)).flatMap(({ kind, family, tables }) => {
    const chain = tables.get('addresses')?.chains.get('kube-ipvs0');
    return kind === 'addresses' ? [`${family}: ${linesOf(chain).join(' ')}`] : [];
  });

describe('facts beside rules', () => {
  const kinds: Readonly<Record<string, DumpKind>> = { bridge: 'bridge', conntrack: 'conntrack', proc: 'conntrack' };
  for (const name of readdirSync(folder)) {
    it(`are told by their text and read without a line left over: ${name}`, () => {
      const kind = name.startsWith('ip-')
        ? name.includes('addr')
          ? 'addresses'
          : 'routes'
        : kinds[name.split('-')[0] ?? ''];
      assert.equal(dumpKind(capture(name)), kind);
      assert.deepEqual(read({ text: capture(name) }).unread, []);
      assert.deepEqual(read({ text: capture(name), kind: kind as DumpKind }).unread, []);
    });
  }

  it('are read out of one text with rules', () => {
    const names = ['conntrack-L.txt', 'bridge-d-link.txt', 'ip-route-local-ipvs.txt'];
    const rules = '*nat\n:PREROUTING ACCEPT [0:0]\n-A PREROUTING -j ACCEPT\nCOMMIT\n';
    const ipvs = '-A -t 10.96.0.10:80 -s rr\n';
    for (const order of [names, names.toReversed()]) {
      const dump = read({ text: `${rules}${ipvs}${order.map(capture).join('')}` });
      assert.deepEqual(dump.unread, []);
      assert.deepEqual(
        everyTool(dump).map(({ kind }) => kind),
        ['iptables', 'ipvs', 'addresses'],
      );
      assert.equal(dump.connections.length, 4);
      assert.equal(dump.bridgePorts.length, 3);
    }
  });

  it('keep connections over UDP only', () => {
    const { connections } = read({ text: capture('conntrack-L.txt') });
    assert.deepEqual(
      connections.map(({ flow }) => flow.line),
      [2, 3, 5, 6],
    );
  });

  it('of another kind than was said are reported line by line', () => {
    const { unread } = read({ text: capture('conntrack-L.txt'), kind: 'bridge' });
    assert.equal(unread.length, 11);
    assert.ok(
      unread.every(({ file, text }, at) => file === 'file0' && text === capture('conntrack-L.txt').split('\n')[at]),
    );
  });
});

describe('ports of bridges', () => {
  for (const name of ['bridge-d-link.txt', 'bridge-d-o-link.txt']) {
    it(`have their bridge and their hairpin: ${name}`, () => {
      const ports = read({ text: capture(name) }).bridgePorts;
      assert.deepEqual(
        ports.map((port) => `${port.name} ${port.bridge} ${port.isVeth} ${port.isHairpin}`),
        ['veth1a2b3c4d cni0 true true', 'veth5e6f7a8b cni0 true false', 'vethdocker br-0123456789ab true false'],
      );
    });
  }

  it('are no Pods’ where they have no peer, and unread where nothing says what they are', () => {
    const text = `# of node-1
root@node-1:~# bridge -d link
4: eth0: <UP> mtu 1500 master br0 state forwarding priority 32 cost 2
    hairpin off guard off
5: eth1.7@eth1: <UP> mtu 1500 master br0 state forwarding priority 32 cost 2
    hairpin off guard off
6: lxc1@if7: <UP> mtu 1500 master br0 state forwarding priority 32 cost 2
    hairpin off guard off
7: dummy0: <UP> mtu 1500
    hairpin off
8: vethx@if7: <UP> mtu 1500 master br0 state
hairpin off
    =?`;
    const { bridgePorts, unread } = read({ text, kind: 'bridge' });
    assert.deepEqual(
      bridgePorts.map(({ name, isVeth, line }) => [name, isVeth, line]),
      [
        ['eth0', false, 3],
        ['eth1.7', false, 5],
        ['lxc1', true, 7],
      ],
    );
    assert.deepEqual(
      unread.map(({ line, message }) => `${line}: ${message}`),
      ['12: not a port of a bridge', '13: not a port of a bridge'],
    );
  });
});

describe('addresses of kube-ipvs0', () => {
  const ipvs = { text: '-A -t 10.96.0.10:80 -s rr\n-A -t [fd00:10:96::a]:80 -s rr\n' };
  const routes = (text: string) => ({ text, kind: 'routes' as const });

  it('are read out of routes', () => {
    const [first = ''] = addresses({ text: capture('ip-route-local-ipvs.txt') });
    assert.match(first, /^ipv4: 10\.96\.0\.10 10\.96\.0\.11 /);
    assert.ok(!first.includes('10.244.1.1') && !first.includes('127.'));
    const detailed = 'local 10.96.0.10 dev kube-ipvs0 table local proto kernel scope host src 10.96.0.10 \n';
    const six = 'local fd00:10:96:0::a dev kube-ipvs0 table local proto kernel metric 0 pref medium\n';
    assert.deepEqual(addresses(routes(detailed + six)), ['ipv4: 10.96.0.10', 'ipv6: fd00:10:96::a']);
  });

  it('are those of ip addr where both are given', () => {
    const given = {
      text: '5: kube-ipvs0: <NOARP> mtu 1500 qdisc noop\n    inet 10.96.0.99/32 scope global kube-ipvs0\n',
    };
    assert.deepEqual(addresses({ text: capture('ip-route-local-ipvs.txt') }, given), ['ipv4: 10.96.0.99']);
  });

  it('are none of the node’s others', () => {
    assert.deepEqual(addresses({ text: capture('ip-d-addr.txt') }), []);
    assert.deepEqual(addresses({ text: capture('ip-route-table-all.txt') }), []);
  });

  it('are missed in IPVS mode, in a family whose local routes or addresses are shown', () => {
    assert.deepEqual(addresses(ipvs, { text: capture('ip-route-table-all.txt') }), ['ipv4: ', 'ipv6: ']);
    assert.deepEqual(addresses(ipvs, { text: capture('ip-d-addr.txt') }), ['ipv4: ', 'ipv6: ']);
    assert.deepEqual(addresses(ipvs, routes('default via 10.0.0.1 dev eth0\n')), []);
    // As kernels before 4.18 show local addresses of IPv6.
    assert.deepEqual(addresses(ipvs, routes('local fd00:10:96::a dev lo table local proto none metric 0\n')), []);
  });

  it('come with every line that is no route', () => {
    const text =
      'sudo ip route show table local\nlocal 10.0.0.1 dev eth0\nlocal 10.0.0.300 dev eth0\nDump terminated\n\tnexthop via 10.0.0.1\n10.0.0.0/x dev eth0\nthrow 10.1.0.0/16\n';
    assert.deepEqual(
      read(routes(text)).unread.map(({ line, text: shown, message }) => `${line}: ${shown}: ${message}`),
      [
        '3: local 10.0.0.300 dev eth0: not a route',
        '4: Dump terminated: not a route',
        '6: 10.0.0.0/x dev eth0: not a route',
      ],
    );
  });
});
