import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { canonicalIptablesRule, expandAddresses } from '../../../src/netfilter/iptables/canonical.ts';
import { printRule } from '../../../src/netfilter/iptables/print/printRule.ts';
import { parseRule } from '../../../src/netfilter/iptables/read/parseRule.ts';
import { canonicalProbability } from '../../../src/netfilter/iptables/values/probability.ts';

for (const file of ['normal-forms.tsv', 'measured.tsv']) {
  test(`rules load and save as recorded (${file})`, () => {
    let count = 0;
    for (const [id = '', , digit, , input = '', saved = ''] of rows(file)) {
      if (saved.startsWith('ERROR')) continue;
      const family = digit === '6' ? 'ipv6' : 'ipv4';
      assert.equal(savedText(input, family), saved, id);
      assert.equal(savedText(saved, family), saved, `${id}: what is saved is a fixpoint`);
      count += 1;
    }
    assert.ok(count > 190, `${count} rows`);
  });
}

test('a canonical rule is its own canonical form', () => {
  let count = 0;
  for (const [id = '', , digit, , input = '', saved = ''] of [...rows('normal-forms.tsv'), ...rows('measured.tsv')]) {
    if (saved.startsWith('ERROR')) continue;
    const family = digit === '6' ? 'ipv6' : 'ipv4';
    const once = canonicalIptablesRule(read(input), family);
    assert.deepEqual(canonicalIptablesRule(once, family), once, id);
    count += 1;
  }
  assert.ok(count > 380, `${count} rows`);
});

test('what newer versions save reads as the same rule', () => {
  let count = 0;
  for (const [id = '', , digit, , , saved = '', variants = ''] of rows('normal-forms.tsv')) {
    if (!variants.startsWith('{') || !variants.includes('1.8.11": "-A')) continue;
    const newer = (JSON.parse(variants) as Record<string, string>)['legacy 1.8.11'] ?? '';
    assert.equal(savedText(newer, digit === '6' ? 'ipv6' : 'ipv4'), saved, id);
    count += 1;
  }
  assert.equal(count, 8);
});

test('probabilities are rounded as the kernel keeps them', () => {
  let count = 0;
  for (const [n = '', written = '', saved = '', writtenLongAgo = '', savedLongAgo = ''] of rows('probabilities.tsv')) {
    assert.equal(canonicalProbability(written), saved, n);
    assert.equal(canonicalProbability(saved), saved, n);
    assert.equal(canonicalProbability(writtenLongAgo), savedLongAgo, n);
    count += 1;
  }
  assert.equal(count, 1099);
});

test('a probability on the edge of two eleven-digit numbers goes to the even one, as in C', () => {
  assert.equal(canonicalProbability('0.0002441406'), '0.00024414062');
  assert.equal(canonicalProbability('0.0007324219'), '0.00073242188');
});

test('an impossible condition is not dropped', () => {
  const rule = '-A T -p tcp -m tcp ! --dport 0:65535 -j ACCEPT';
  assert.equal(savedText(rule, 'ipv4'), rule);
});

function rows(file: string): readonly string[][] {
  return readFileSync(`fixtures/normal-forms/${file}`, 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t'));
}

function savedText(text: string, family: 'ipv4' | 'ipv6'): string {
  return text
    .split(' ⏎ ')
    .flatMap((line) => expandAddresses(read(line)))
    .map((rule) => printRule(rule, 'save', family))
    .join(' ⏎ ');
}

function read(line: string) {
  const parsed = parseRule(line);
  if (parsed.kind === 'problem') {
    assert.fail(`${line}: ${parsed.message} at ${parsed.column}`);
  }
  return parsed.rule;
}
