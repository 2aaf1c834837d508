import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { canonicalMembers } from '../../../src/netfilter/ipset/canonicalMember.ts';
import { canonicalSet } from '../../../src/netfilter/ipset/canonicalSet.ts';
import { parseIpset } from '../../../src/netfilter/ipset/parseIpset.ts';

const file = join(import.meta.dirname, '../../../fixtures/normal-forms/normal-forms-ipset.tsv');
const rows = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split('\t'));

/** The sets that the rows add to. */
const bases: Readonly<Record<string, string>> = {
  NI11: 'create S6 hash:ip,port family inet6',
  NI12: 'create S hash:ip,port,net',
  NI13: 'create S hash:ip,port,net',
  NI14: 'create S hash:ip',
  NI15: 'create S hash:ip timeout 60',
  NI16: 'create S hash:net',
};

test('sets are saved as recorded: both spellings have one canonical form', () => {
  let compared = 0;
  for (const [id = '', input = '', saved = ''] of rows) {
    if (!/^(?:create|add) /.test(input) || saved.startsWith('ERROR')) continue;
    const base = input.startsWith('add') ? `${bases[id] ?? 'create S hash:ip,port'}\n` : '';
    assert.deepEqual(canonicalOf(base + input), canonicalOf(base + expanded(saved)), id);
    compared += 1;
  }
  assert.equal(compared, 16);
});

test('what ipset refuses is refused', () => {
  const [id, input = ''] = rows.find(([, , saved]) => saved?.startsWith('ERROR')) ?? [];
  assert.equal(id, 'NI17');
  const problems: string[] = [];
  parseIpset(`create S hash:ip,port\n${input.replace(' (set without comment)', '')}`, ({ message }) =>
    problems.push(message),
  );
  assert.deepEqual(problems, ['set S was made without comment']);
});

test('members as ipset prints them', () => {
  const cases: readonly (readonly [string, string, readonly string[]])[] = [
    ['hash:ip', '1.2.3.5/32', ['1.2.3.5']],
    ['hash:ip', 'FD00:0:0::1/128', ['fd00::1']],
    ['hash:ip', '10.0.0.0/30', ['10.0.0.0', '10.0.0.1', '10.0.0.2', '10.0.0.3']],
    ['hash:ip,port', '10.0.0.1,80', ['10.0.0.1,tcp:80']],
    ['hash:ip,port', '10.0.0.1,udp:80-82', ['10.0.0.1,udp:80', '10.0.0.1,udp:81', '10.0.0.1,udp:82']],
    ['hash:ip,port', '10.0.0.1,icmp:echo-request', ['10.0.0.1,icmp:echo-request']],
    ['hash:net', '10.1.2.3/8', ['10.0.0.0/8']],
    ['hash:net', 'fd00:1::1/32', ['fd00:1::/32']],
    ['hash:net,iface', '0.0.0.0/0,eth0', ['0.0.0.0/0,eth0']],
    ['hash:ip,port,net', '203.0.113.10,tcp:80,0.0.0.0/0', []],
    ['hash:net', '::/0', []],
    ['hash:ip,mark', '10.0.0.1,0x4000', ['10.0.0.1,0x00004000']],
    ['hash:mac', '00:aa:bb:cc:dd:ee', ['00:AA:BB:CC:DD:EE']],
    ['bitmap:port', 'tcp:http', ['80']],
    ['bitmap:port', '80-82', ['80', '81', '82']],
    ['list:set', 'OTHER', ['OTHER']],
    // What cannot be read, or would fill memory, stays as it was written.
    ['hash:ip', '10.0.0.0/1', ['10.0.0.0/1']],
    ['hash:ip', '0.0.0.0-255.255.255.255', ['0.0.0.0-255.255.255.255']],
    ['hash:ip,port', '10.0.0.0/16,tcp:0-65535', ['10.0.0.0/16,tcp:0-65535']],
    ['hash:ip,port', '10.0.0.1', ['10.0.0.1']],
    ['hash:ip', 'example.org', ['example.org']],
  ];
  for (const [type, member, expected] of cases) assert.deepEqual(canonicalMembers(type, member), expected, member);
});

function canonicalOf(text: string): unknown {
  const problems: string[] = [];
  const state = parseIpset(text, ({ message }) => problems.push(message));
  assert.deepEqual(problems, [], text);
  return state.sets.map(canonicalSet).map(({ line: _line, members, ...set }) => ({
    ...set,
    members: members.map(({ member, options }) => [member, options]),
  }));
}

/** The table writes `0x<random>` for random numbers, and three members of a range as `.6 / .7 / .8 (three lines)`. */
function expanded(saved: string): string {
  const range = /^(add \S+ )(\d+\.\d+\.\d+)(\.\d+) \/ (\.\d+) \/ (\.\d+) \(three lines\)$/.exec(saved);
  if (range !== null) {
    const [, head = '', network = '', ...last] = range;
    return last.map((octet) => `${head}${network}${octet}`).join('\n');
  }
  return saved.replace('0x<random>', '0x12345678');
}
