import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { parseListing } from '../../../src/netfilter/nft/read/parseListing.ts';
import { writeListing } from '../../../src/netfilter/nft/write/writeListing.ts';
import { assertSameText } from './assertSameText.ts';

const folder = 'fixtures/nft/listings';

for (const name of readdirSync(folder)) {
  test(`${name} is read and printed back byte for byte`, () => {
    const text = readFileSync(`${folder}/${name}`, 'utf8');
    const { ruleset, problems } = parseListing(text);
    assert.deepEqual(problems, []);
    const isNumeric = /^nn?-/.test(name);
    assertSameText([...writeListing(ruleset, isNumeric)].join(''), text);
  });
}

test('rules of an nftables proxy are understood to the last word', () => {
  const { ruleset } = parseListing(readFileSync(`${folder}/list-ruleset.txt`, 'utf8'));
  const rules = ruleset.tables.flatMap((table) => table.chains.flatMap((chain) => chain.rules));
  assert.equal(rules.length, 74);
  assert.ok(rules.every((rule) => rule.written === undefined));
  assert.ok(rules.every((rule) => rule.statements.every((statement) => statement.kind !== 'foreign')));
});

test('what iptables-nft hides is kept and marked', () => {
  const { ruleset } = parseListing(readFileSync(`${folder}/list-ruleset-of-iptables-nft.txt`, 'utf8'));
  assert.deepEqual(
    ruleset.tables.map((table) => table.isManagedByIptables),
    [true, true],
  );
  const chain = ruleset.tables[1]?.chains.find(({ name }) => name === 'KUBE-SVC-AFF');
  assert.deepEqual(chain?.rules[1]?.statements, [
    { kind: 'foreign', text: 'xt match recent' },
    { kind: 'counter', packets: 68, bytes: 4080 },
    { kind: 'verdict', verdict: { kind: 'jump', chain: 'KUBE-SEP-AFF0' } },
  ]);
});

test('what cannot be read is reported with its line, and the rest is read', () => {
  const { ruleset, problems } = parseListing(
    ['table ip t {', '\tset s {', '\t\ttype ipv4_addr', '\t\tnonsense 5', '\t}', '', '\twhat is this', '}', '?'].join(
      '\n',
    ),
  );
  assert.deepEqual(
    problems.map(({ line }) => line),
    [4, 7, 9],
  );
  assert.deepEqual(ruleset.tables[0]?.sets[0]?.type, ['ipv4_addr']);
});

test('objects that are not known are kept as lines', () => {
  const text = [
    'table inet t {',
    '\tcounter c {',
    '\t\tpackets 0 bytes 0',
    '\t}',
    '',
    '\tset s {',
    '\t\ttypeof ip saddr',
    '\t\tflags interval',
    '\t\tauto-merge',
    '\t}',
    '',
    '\tflowtable f {',
    '\t\thook ingress priority filter',
    '\t\tdevices = { eth0 }',
    '\t}',
    '',
    '\tchain x {',
    '\t\tjhash ip saddr mod 2 vmap { 0 : accept, 1 : drop }',
    '\t\tip dscp set ip dscp',
    '\t}',
    '}',
    '',
  ].join('\n');
  const { ruleset, problems } = parseListing(text);
  assert.deepEqual(problems, []);
  assertSameText([...writeListing(ruleset)].join(''), text);
});
