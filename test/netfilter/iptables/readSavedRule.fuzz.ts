import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Family } from '../../../src/common/addresses/family.ts';
import type { Rule } from '../../../src/netfilter/iptables/ast.ts';
import { canonicalIptablesRule } from '../../../src/netfilter/iptables/canonical.ts';
import { printRule } from '../../../src/netfilter/iptables/print/printRule.ts';
import { parseRule } from '../../../src/netfilter/iptables/read/parseRule.ts';
import { readSavedRule } from '../../../src/netfilter/iptables/read/readSavedRule.ts';
import { fuzzSeed as seed } from '../../support/fuzzSeed.ts';

test('lines that kube-proxy has on every node are read by their shape', () => {
  for (const [line, family] of usual) {
    assert.deepEqual(readSavedRule(line, family, 7), parsed(line, family, 7), line);
  }
});

test('what prints in another way is left to the parser', () => {
  for (const line of unusual) assert.equal(readSavedRule(line, 'ipv4', 7), undefined, line);
});

test(`changed lines read as the parser reads them, and print as they are (seed ${seed})`, () => {
  let count = 0;
  const family = fc.constantFrom<Family>('ipv4', 'ipv6');
  fc.assert(
    fc.property(fc.constantFrom(...usual), family, fc.array(edits(), { maxLength: 3 }), ([line], of, changes) => {
      const changed = changes.reduce((text, edit) => edit(text), line);
      const rule = readSavedRule(changed, of, undefined);
      if (rule === undefined) return;
      count += 1;
      // The order of keys counts too: keys of rules are made of their JSON.
      assert.equal(JSON.stringify(rule), JSON.stringify(parsed(changed, of)), changed);
      assert.equal(printRule(rule, 'save', of), changed);
    }),
    { seed, numRuns: 20_000 },
  );
  assert.ok(count > 4000, `${count} lines were read by their shape`);
});

const usual: readonly (readonly [line: string, family: Family])[] = [
  [
    '-A KUBE-SERVICES -d 10.96.0.1/32 -p tcp -m comment --comment "default/kubernetes:https cluster IP" -m tcp --dport 443 -j KUBE-SVC-NPX46M4PTMTKRN6Y',
    'ipv4',
  ],
  [
    '-A KUBE-SVC-NPX46M4PTMTKRN6Y ! -s 10.244.0.0/16 -d 10.96.0.1/32 -p tcp -m comment --comment "default/kubernetes:https cluster IP" -m tcp --dport 443 -j KUBE-MARK-MASQ',
    'ipv4',
  ],
  [
    '-A KUBE-SVC-NPX46M4PTMTKRN6Y -m comment --comment "default/kubernetes:https -> 10.0.0.1:6443" -m statistic --mode random --probability 0.33333333349 -j KUBE-SEP-ABC',
    'ipv4',
  ],
  ['-A KUBE-SEP-ABC -s 10.0.0.1/32 -m comment --comment "default/kubernetes:https" -j KUBE-MARK-MASQ', 'ipv4'],
  [
    '-A KUBE-SEP-ABC -p tcp -m comment --comment "default/kubernetes:https" -m tcp -j DNAT --to-destination 10.0.0.1:6443',
    'ipv4',
  ],
  ['-A KUBE-SEP-ABC -s fd00::1/128 -m comment --comment nothing -j KUBE-MARK-MASQ', 'ipv6'],
  ['-A KUBE-SEP-ABC -p udp -m udp -j DNAT --to-destination [fd00::1]:53', 'ipv6'],
];

const unusual: readonly string[] = [
  '-A KUBE-SEP-ABC -s 10.0.0.1 -j KUBE-MARK-MASQ',
  '-A KUBE-SEP-ABC -s 010.0.0.1/32 -j KUBE-MARK-MASQ',
  '-A KUBE-SEP-ABC -s 10.0.0.1/8 -j KUBE-MARK-MASQ',
  '-A KUBE-SEP-ABC -s 0.0.0.0/0 -j KUBE-MARK-MASQ',
  '-A KUBE-SEP-ABC -m comment --comment "bare" -j KUBE-MARK-MASQ',
  '-A KUBE-SEP-ABC -m comment --comment "it\'s" -j KUBE-MARK-MASQ',
  '-A KUBE-SEP-ABC -m comment --comment "a \\" b" -j KUBE-MARK-MASQ',
  '-A KUBE-SEP-ABC -p tcp -m tcp --dport http -j KUBE-MARK-MASQ',
  '-A KUBE-SEP-ABC -p tcp -m tcp --dport 080 -j KUBE-MARK-MASQ',
  '-A KUBE-SEP-ABC -m statistic --mode random --probability 0.33332999982 -m comment --comment a -j KUBE-MARK-MASQ',
  '-A KUBE-SEP-ABC -m statistic --mode random --probability 0.33333333333 -j KUBE-MARK-MASQ',
  '-A KUBE-SEP-ABC  -j KUBE-MARK-MASQ',
  '-A KUBE-SEP-ABC -j KUBE-MARK-MASQ ',
  '-A KUBE-SEP-ABC -g KUBE-MARK-MASQ',
  '[1:2] -A KUBE-SEP-ABC -j KUBE-MARK-MASQ',
];

function parsed(line: string, family: Family, number?: number): Rule {
  const read = parseRule(line, number);
  assert.ok(read.kind === 'rule', line);
  return canonicalIptablesRule(read.rule, family);
}

type Edit = (line: string) => string;

/** A word that goes, comes, or changes places with another; a character in between. */
function edits(): fc.Arbitrary<Edit> {
  const place = fc.nat({ max: 30 });
  const words = (line: string) => line.match(/"[^"]*"|[^ ]+/g) ?? [];
  return fc.oneof(
    place.map((at): Edit => {
      return (line) => words(line).toSpliced(at, 1).join(' ');
    }),
    fc.tuple(place, fc.constantFrom(...pieces)).map(([at, piece]): Edit => {
      return (line) => words(line).toSpliced(at, 0, piece).join(' ');
    }),
    fc.tuple(place, fc.constantFrom(...pieces)).map(([at, piece]): Edit => {
      return (line) => words(line).toSpliced(at, 1, piece).join(' ');
    }),
    fc
      .tuple(fc.nat({ max: 200 }), fc.nat({ max: 2 }), fc.constantFrom(...characters))
      .map(([at, less, character]): Edit => {
        return (line) => line.slice(0, at) + character + line.slice(at + less);
      }),
  );
}

const characters = ['', ' ', '"', "'", '\\', '\t', '\r', '\0', '\u2028', 'é', '0', '1', '/', ':', '.', '-', '!', 'a'];

const pieces = [
  '!',
  '-s',
  '-d',
  '-p',
  '-m',
  '-j',
  '-g',
  '10.0.0.1/32',
  '10.0.0.0/8',
  '10.0.0.1/8',
  '1.2.3.4',
  '0.0.0.0/0',
  '::/0',
  'FD00::1/128',
  '300.1.1.1/32',
  '1.2.3.4/33',
  'tcp',
  'UDP',
  '6',
  '"a b"',
  '"ab"',
  '"x -j KUBE-SEP-A"',
  '-m statistic --mode random --probability 0.50000000000',
  '-m tcp --dport 80',
  '--dport 0',
  '-m comment --comment "é ü"',
  'KUBE-MARK-MASQ',
  'DNAT',
  '--to-destination',
  '1.2.3.4:80',
  '1.2.3.4:80-80',
  '[fd00::1]:80',
];
