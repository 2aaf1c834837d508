import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Family } from '../../../src/common/addresses/family.ts';
import { printRule } from '../../../src/netfilter/iptables/print/printRule.ts';
import { readSavedRule } from '../../../src/netfilter/iptables/read/readSavedRule.ts';
import { fuzzSeed as seed } from '../../support/fuzzSeed.ts';
import { edits, parsedLine, usualLines } from './editedLines.ts';

test('lines that kube-proxy has on every node are read by their shape', () => {
  for (const [line, family] of usualLines) {
    assert.deepEqual(readSavedRule(line, family, 7), parsedLine(line, family, 7), line);
  }
});

test('what prints in another way is left to the parser', () => {
  for (const line of unusual) assert.equal(readSavedRule(line, 'ipv4', 7), undefined, line);
});

test(`changed lines read as the parser reads them, and print as they are (seed ${seed})`, () => {
  let count = 0;
  const family = fc.constantFrom<Family>('ipv4', 'ipv6');
  fc.assert(
    fc.property(fc.constantFrom(...usualLines), family, fc.array(edits(), { maxLength: 3 }), ([line], of, changes) => {
      const changed = changes.reduce((text, edit) => edit(text), line);
      const rule = readSavedRule(changed, of, undefined);
      if (rule === undefined) return;
      count += 1;
      // The order of keys counts too: keys of rules are made of their JSON.
      assert.equal(JSON.stringify(rule), JSON.stringify(parsedLine(changed, of)), changed);
      assert.equal(printRule(rule, 'save', of), changed);
    }),
    { seed, numRuns: 20_000 },
  );
  assert.ok(count > 4000, `${count} lines were read by their shape`);
});

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
