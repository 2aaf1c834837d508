import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Rule } from '../../../src/netfilter/iptables/ast.ts';
import { printRule } from '../../../src/netfilter/iptables/print/printRule.ts';
import { parseRule } from '../../../src/netfilter/iptables/read/parseRule.ts';

test('words keep their order, a rule tells what was written', () => {
  const line =
    '-A KUBE-SERVICES -m comment --comment "a/b:c cluster IP" -m tcp -p tcp -d 10.0.0.1 --dport 80 ! -s 10.0.0.0/8 -j X';
  assert.deepEqual(read(line), {
    chain: 'KUBE-SERVICES',
    words: [
      { kind: 'comment', text: 'a/b:c cluster IP' },
      { kind: 'transport', protocol: 'tcp', destinationPort: '80' },
      { kind: 'protocol', protocol: 'tcp' },
      { kind: 'destination', address: '10.0.0.1' },
      { kind: 'source', negated: true, address: '10.0.0.0/8' },
    ],
    target: { kind: 'jump', chain: 'X' },
  });
  assert.equal(printRule(read(line), 'restore', 'ipv4'), line);
});

const spelledAlike: readonly (readonly [string, string])[] = [
  ['-A T -s ! 10.0.0.1 -j ACCEPT', '-A T ! -s 10.0.0.1/32 -j ACCEPT'],
  ['-A T -p tcp --dport ! 80 -j ACCEPT', '-A T -p tcp -m tcp ! --dport 80 -j ACCEPT'],
  ['--append T --source 10.0.0.1 --jump ACCEPT', '-A T -s 10.0.0.1/32 -j ACCEPT'],
  ['-t nat -A T -j ACCEPT', '-A T -j ACCEPT'],
  ['-A T -c 1 2 -j ACCEPT', '-A T -j ACCEPT'],
  ['[1:2] -A T -j ACCEPT', '-A T -j ACCEPT'],
  ['-A T   -j\tACCEPT  ', '-A T -j ACCEPT'],
  ['-A T -m comment --comment a"b c" -j ACCEPT', '-A T -m comment --comment "ab c" -j ACCEPT'],
  ['-A T -g ACCEPT', '-A T -g ACCEPT'],
  ['-A T -m comment --comment "--dport" -j ACCEPT', '-A T -m comment --comment --dport -j ACCEPT'],
  ['-A T -j LOG -m limit --limit 1/s', '-A T -m limit --limit 1/sec -j LOG'],
  ['-A T -p icmpv6 --icmpv6-type ping -j ACCEPT', '-A T -p ipv6-icmp -m icmp6 --icmpv6-type 128 -j ACCEPT'],
];

for (const [written, saved] of spelledAlike) {
  test(`${written} is ${saved}`, () => {
    assert.equal(printRule(read(written), 'save', 'ipv4'), saved);
  });
}

const foreign = [
  '-A T -m foo -j ACCEPT',
  '-A T -m foo --bar "a b" "c" ! --baz --qux 1 2 3 -m tcp -j FOO --x "y:z" --w',
  '-A T -p tcp -m foo --dport 80 -j ACCEPT',
  '-A T -p tcp -m tcp --dport 80 --brand-new-option x -j ACCEPT',
  '-A T -j MASQUERADE --to-ports 1-2 --brand-new',
  '-A T -m recent --name x --seconds 5 -j DROP',
  '-A T -m mark --mark 0x1 --mark 0x2 -j DROP',
];

for (const line of foreign) {
  test(`kept word by word: ${line}`, () => {
    assert.equal(printRule(read(line), 'restore', 'ipv4'), line);
    assert.deepEqual(read(printRule(read(line), 'save', 'ipv4')).words.length, read(line).words.length);
  });
}

test('a negation behind a flag of an unknown match is that of what follows', () => {
  const line = '-A T -m new --flag ! -i cali+ -j X';
  assert.deepEqual(read(line).words, [
    { kind: 'other', name: 'new', options: [{ name: 'flag', values: [] }] },
    { kind: 'inInterface', negated: true, name: 'cali+' },
  ]);
  assert.equal(printRule(read(line), 'restore', 'ipv4'), line);
});

test('the place of an insertion and the table are told apart from the rule', () => {
  const rule: Rule = { chain: 'T', words: [], target: { kind: 'jump', chain: 'ACCEPT' }, line: 7 };
  assert.deepEqual(parseRule('-I T -j ACCEPT', 7), { kind: 'rule', rule, position: 1 });
  assert.deepEqual(parseRule('-t nat -I T 12 -j ACCEPT', 7), { kind: 'rule', rule, position: 12, table: 'nat' });
});

test('options of -m tcp in front of -d keep their place', () => {
  const line = '-A T -m tcp -p tcp --dport 3001 -d 127.0.0.0/8 -m nfacct --nfacct-name n -j X';
  assert.equal(printRule(read(line), 'restore', 'ipv4'), line);
  assert.equal(
    printRule(read(line), 'save', 'ipv4'),
    '-A T -d 127.0.0.0/8 -p tcp -m tcp --dport 3001 -m nfacct --nfacct-name  n -j X',
  );
});

const unreadable: readonly (readonly [string, number, string])[] = [
  ['', 1, ''],
  ['-j ACCEPT', 10, ''],
  ['-A', 1, '-A'],
  ['-A T -A U', 6, '-A'],
  ['-A T -j ACCEPT -j DROP', 16, '-j'],
  ['-A T -m comment --comment "a -j ACCEPT', 27, ''],
  ['-A T -m comment --comment "a b" c -j ACCEPT', 33, 'c'],
  ["-A T -m comment --comment 'a b' -j ACCEPT", 30, "b'"],
  ['-A T --dport 80 -j ACCEPT', 6, '--dport'],
  ['-A T -j ACCEPT --to 5', 16, '--to'],
  ['-A T -p tcp -m tcp --dport', 20, '--dport'],
  ['-A T -m set --match-set x', 13, '--match-set'],
  ['-A "a b" -j ACCEPT', 4, 'a b'],
  ['-A T ! ! -s 1.2.3.4', 8, '!'],
  ['-A T -s 1.2.3.4 !', 17, '!'],
  ['-A T ! -j ACCEPT', 6, '!'],
  ['-A T -c 1 x', 6, '-c'],
  ['-A T -x', 6, '-x'],
  ['-A T -j CT --notrack=1', 12, '--notrack=1'],
  ['-A T -j CT -- 1', 12, '--'],
  ['-A T -j CT --later 1 -m later', 22, '-m'],
];

for (const [line, column, word] of unreadable) {
  test(`cannot be read: ${line}`, () => {
    const problem = parseRule(line);
    assert.ok(problem.kind === 'problem', JSON.stringify(problem));
    assert.deepEqual([problem.column, problem.word], [column, word]);
    assert.notEqual(problem.message, '');
  });
}

test('nothing in a rule gets out of its word or its line', () => {
  const evil = 'x" -j ACCEPT\n-A INPUT -j ACCEPT\r\0';
  const rule: Rule = {
    chain: 'T',
    words: [
      { kind: 'comment', text: evil, isBare: true },
      { kind: 'source', address: evil },
      { kind: 'inInterface', name: evil },
      { kind: 'other', name: evil, options: [{ name: 'foo', values: [evil] }] },
    ],
    target: { kind: 'jump', chain: evil },
  };
  for (const spelling of ['restore', 'save'] as const) {
    const line = printRule(rule, spelling, 'ipv4');
    assert.doesNotMatch(line, /[\n\r\0]/);
    const back = read(line);
    assert.deepEqual(back.target, { kind: 'jump', chain: evil.replace(/[\n\r\0]/g, '?') });
    assert.equal(back.words.length, 4);
    assert.equal(parseRule(printRule({ chain: evil, words: [] }, spelling, 'ipv4')).kind, 'problem');
  }
});

function read(line: string): Rule {
  const parsed = parseRule(line);
  if (parsed.kind === 'problem') {
    assert.fail(`${line}: ${parsed.message} at ${parsed.column}`);
  }
  return parsed.rule;
}
