import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { readDumps } from '../../src/dump/readDumps.ts';
import { createNodeTracer } from '../../src/trace/nodeTracer.ts';
import type { PacketQuestion } from '../../src/trace/question/askPacket.ts';
import type { Ended } from '../../src/walk/hooks/walkHook.ts';
import { trailItems } from '../../src/walk/values/trail.ts';
import { root } from '../support/compileCase.ts';

/** What the kernel does where one would not expect it; each was seen in its own trace (test/kernel/walk). */

const addresses = `1: lo: <LOOPBACK,UP> mtu 65536 state UNKNOWN
    inet 127.0.0.1/8 scope host lo
2: eth0@if9: <BROADCAST,UP> mtu 1500 state UP
    inet 192.168.10.1/32 scope global eth0
3: veth0@if2: <BROADCAST,UP> mtu 1500 state UP
    inet 10.244.1.1/32 scope global veth0
4: veth1@if2: <BROADCAST,UP> mtu 1500 state UP
    inet 10.244.1.1/32 scope global veth1
`;
const routes = `default via 192.168.10.254 dev eth0
10.244.1.5 dev veth0 scope link
10.244.1.6 dev veth1 scope link
10.244.2.0/24 via 192.168.10.2 dev eth0
local 10.244.1.1 dev veth0 table local proto kernel scope host src 10.244.1.1
local 10.244.1.1 dev veth1 table local proto kernel scope host src 10.244.1.1
local 127.0.0.0/8 dev lo table local proto kernel scope host src 127.0.0.1
local 192.168.10.1 dev eth0 table local proto kernel scope host src 192.168.10.1
`;

function traced(rules: string, question: PacketQuestion) {
  const isNft = rules.startsWith('table');
  const text = isNft ? rules : `${rules}COMMIT\n`;
  const node = readDumps(
    [
      { name: isNft ? 'nft.txt' : 'iptables.nft.v4.save', text },
      { name: 'addresses.txt', text: addresses, kind: 'addresses' },
      { name: 'routes.v4.txt', text: routes, kind: 'routes' },
      { name: 'sysctl.txt', text: 'net.ipv4.ip_forward = 1\n', kind: 'sysctl' },
    ],
    { name: 'n1' },
  );
  assert.deepEqual(node.unread, []);
  const result = createNodeTracer(node).trace(question);
  if ('kind' in result) assert.fail(result.message);
  const [outcome, ...others] = result.outcomes;
  assert.equal(others.length, 0);
  return { first: outcome?.first, later: outcome?.later, reply: outcome?.reply };
}

/** Rules that were met, as `CHAIN #1`. */
function met(ended: Ended | undefined): string {
  const events = trailItems(ended?.flow.path).filter(({ rule }) => rule !== undefined);
  return events.map(({ chain, rule }) => `${chain.name} #${rule?.number}`).join(', ');
}

function tableText(...chains: readonly string[]): string {
  return `table ip t {\n${chains.join('\n')}}\n`;
}

function chainText(name: string, hook: string, rules: readonly string[]): string {
  return `\tchain ${name} {\n\t\ttype ${hook}; policy accept;\n${rules.map((rule) => `\t\t${rule}\n`).join('')}\t}\n`;
}

const fromPod: PacketQuestion = { from: '10.244.1.5:4000', to: '203.0.113.9:80' };
const toNode: PacketQuestion = { from: '10.244.1.6:4000', to: '192.168.10.1:80' };
const untracked = '*raw\n:PREROUTING ACCEPT [0:0]\n-A PREROUTING -j CT --notrack\nCOMMIT\n';
const forward = '*filter\n:INPUT ACCEPT [0:0]\n:FORWARD ACCEPT [0:0]\n:OUTPUT ACCEPT [0:0]\n';

describe('packets without a connection', () => {
  it('have nothing that conntrack could ask for, nor its opposite; with a state that fits nothing else is asked', () => {
    const rules = [
      '-A FORWARD -m conntrack ! --ctorigdst 1.2.3.4',
      '-A FORWARD -m conntrack --ctdir ORIGINAL',
      '-A FORWARD -m conntrack --ctstate UNTRACKED --ctorigdst 1.2.3.4',
      '-A FORWARD -m conntrack ! --ctstate UNTRACKED',
      '-A FORWARD -m connmark ! --mark 0x5',
      '-A FORWARD -j CONNMARK --set-xmark 0x7/0xffffffff',
      '-A FORWARD -m mark --mark 0x0',
      '-A FORWARD -j CONNMARK --restore-mark --nfmask 0xffffffff --ctmask 0xffffffff',
      '-A FORWARD -m mark --mark 0x0',
    ];
    const { first } = traced(`${untracked}${forward}${rules.join('\n')}\n`, fromPod);
    assert.equal(met(first), 'PREROUTING #1, FORWARD #3, FORWARD #6, FORWARD #7, FORWARD #8, FORWARD #9');
  });

  it('break a rule of nft that asks for one', () => {
    const ways = [
      'ct mark != 0x00000005 counter packets 0 bytes 0',
      'ct direction original counter packets 0 bytes 0',
      'meta mark set ct mark counter packets 0 bytes 0',
      'ct state untracked counter packets 0 bytes 0',
      'ct mark set 0x00000007 counter packets 0 bytes 0',
    ];
    const early = chainText('early', 'filter hook prerouting priority raw', ['notrack']);
    const rules = tableText(early, chainText('ways', 'filter hook forward priority filter', ways));
    assert.equal(met(traced(rules, fromPod).first), 'early #1, ways #4, ways #5');
  });
});

describe('states', () => {
  it('NONE is no status that a connection has', () => {
    const rules = '-A FORWARD -m conntrack --ctstatus NONE\n-A FORWARD -m conntrack ! --ctstatus NONE\n';
    assert.equal(met(traced(`${forward}${rules}`, fromPod).first), 'FORWARD #2');
  });

  it('TCP is assured by the packet behind the answer', () => {
    const rules = '-A FORWARD -m conntrack --ctstatus ASSURED\n-A FORWARD -m conntrack --ctstatus SEEN_REPLY\n';
    const { first, reply, later } = traced(`${forward}${rules}`, fromPod);
    assert.deepEqual([first, reply, later].map(met), ['', 'FORWARD #2', 'FORWARD #1, FORWARD #2']);
  });

  it('what comes in again by lo is confirmed, and NOTRACK comes too late for it', () => {
    const raw =
      '*raw\n:PREROUTING ACCEPT [0:0]\n-A PREROUTING -m conntrack --ctstatus CONFIRMED\n-A PREROUTING -j CT --notrack\nCOMMIT\n';
    const rules = '-A INPUT -m conntrack --ctstate NEW\n';
    const { first } = traced(`${raw}${forward}${rules}`, { from: 'node', to: '192.168.10.1:80' });
    assert.equal(met(first), 'PREROUTING #1, PREROUTING #2, INPUT #1');
  });

  it('an error belongs to its connection before conntrack is asked', () => {
    const raw =
      '*raw\n:OUTPUT ACCEPT [0:0]\n-A OUTPUT -m conntrack --ctstate RELATED\n-A OUTPUT -j CT --notrack\nCOMMIT\n';
    const rules =
      '-A OUTPUT -m conntrack --ctstate RELATED\n-A FORWARD -j REJECT --reject-with icmp-port-unreachable\n';
    assert.equal(met(traced(`${raw}${forward}${rules}`, fromPod).reply), 'OUTPUT #1, OUTPUT #2, OUTPUT #1');
  });

  it('TCP of which conntrack sees no answer is invalid from the second packet on, UDP new', () => {
    const rules = '-A FORWARD -m conntrack --ctstate INVALID\n-A FORWARD -m conntrack --ctstate NEW\n';
    const around: PacketQuestion = { from: '203.0.113.9:4000', to: '10.244.2.7:53' };
    assert.equal(met(traced(`${forward}${rules}`, around).later), 'FORWARD #1');
    assert.equal(met(traced(`${forward}${rules}`, { ...around, proto: 'udp' }).later), 'FORWARD #2');
  });

  it('what the answer leaves behind, the next packet meets', () => {
    const rules = [
      '-A FORWARD -m conntrack --ctdir REPLY -j CONNMARK --set-xmark 0x3/0xffffffff',
      '-A FORWARD -m connmark --mark 0x3 -m conntrack --ctdir ORIGINAL',
      '-A FORWARD -m recent --rcheck --name L --rsource',
      '-A FORWARD -m recent --set --name L --rdest',
    ];
    assert.equal(met(traced(`${forward}${rules.join('\n')}\n`, fromPod).later), 'FORWARD #2, FORWARD #3, FORWARD #4');
  });
});

describe('addresses and order', () => {
  it('an address of two interfaces is local by the first of them', () => {
    const rules = '-A INPUT -m addrtype --dst-type LOCAL --limit-iface-in\n';
    const to = (from: string) => met(traced(`${forward}${rules}`, { from, to: '10.244.1.1:80' }).first);
    assert.deepEqual([to('10.244.1.5:4000'), to('10.244.1.6:4000')], ['INPUT #1', '']);
  });

  it('NAT is registered with its first chain: at equal priorities it goes before chains that were there', () => {
    const counter = ['counter packets 0 bytes 0'];
    const nat = chainText('nat', 'nat hook prerouting priority 100', counter);
    const filter = chainText('filter', 'filter hook prerouting priority dstnat', counter);
    const order = (...chains: readonly string[]) => met(traced(tableText(...chains), toNode).first);
    assert.equal(order(filter, nat), 'nat #1, filter #1');
    assert.equal(order(nat, filter), 'filter #1, nat #1');
  });
});

describe('rules that lead in circles', () => {
  it('are given up where a chain would be entered again: no kernel loads them', () => {
    const text = readFileSync(join(root, 'fixtures/trace-cli/circles.save'), 'utf8');
    const node = readDumps(
      [
        { name: 'n1.save', text },
        { name: 'addresses.txt', text: addresses, kind: 'addresses' },
        { name: 'routes.v4.txt', text: routes, kind: 'routes' },
      ],
      { name: 'n1' },
    );
    const result = createNodeTracer(node).trace({ from: 'node', to: '127.0.0.1:443' });
    if ('kind' in result) assert.fail(result.message);
    const ends = result.outcomes.map(({ first }) => ('why' in first.end ? first.end.why : first.end.kind));
    assert.ok(
      ends.some((end) => /^chains lead to each other without end/.test(end)),
      ends.join(),
    );
    assert.ok(result.outcomes.every(({ first }) => trailItems(first.flow.path).length < 100));
  });
});
