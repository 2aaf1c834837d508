import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readDumps } from '../../../src/dump/readDumps.ts';
import { parseListing } from '../../../src/netfilter/nft/read/parseListing.ts';
import { writeListing } from '../../../src/netfilter/nft/write/writeListing.ts';
import { canonicalText } from '../../../src/node/canonicalText.ts';

const folder = 'fixtures/nft/spellings';

const canon = (text: string) => [...canonicalText(readDumps([{ name: 'n.nft', text }], { name: 'n' }))].join('');

const plain = readFileSync(`${folder}/list-ruleset.txt`, 'utf8');

// Each is the same rules in the same kernel, as nft 1.0.6 listed them with these options.
for (const name of readdirSync(folder)) {
  test(`${name} has the canonical text of the plain listing`, () => {
    assert.equal(canon(readFileSync(`${folder}/${name}`, 'utf8')), canon(plain));
  });
}

test('every property and statement of a set is read', () => {
  const { ruleset, problems } = parseListing(plain);
  assert.deepEqual(problems, []);
  assert.equal([...writeListing(ruleset)].join(''), plain);
});

const priorities: readonly (readonly [string, string, number])[] = [
  ['output', 'dstnat', -100],
  ['output', 'dstnat - 10', -110],
  ['output', 'filter - 110', -110],
  ['prerouting', 'filter - 110', -110],
  ['input', 'raw + 190', -110],
  ['postrouting', 'srcnat + 10', 110],
  ['postrouting', 'security + 60', 110],
  ['forward', '-110', -110],
];

for (const [hook, spelling, priority] of priorities) {
  test(`priority ${spelling} at ${hook} is ${priority}`, () => {
    const text = `table ip t {\n\tchain c {\n\t\ttype filter hook ${hook} priority ${spelling}; policy accept;\n\t}\n}\n`;
    const { ruleset, problems } = parseListing(text);
    assert.deepEqual(problems, []);
    assert.equal(ruleset.tables[0]?.chains[0]?.base?.priority, priority);
  });
}

test('a chain that hears several interfaces is read and printed back', () => {
  const text =
    'table netdev t {\n\tchain c {\n\t\ttype filter hook ingress devices = { "eth0", "eth1" } priority filter; policy accept;\n\t}\n}\n';
  const { ruleset, problems } = parseListing(text);
  assert.deepEqual(problems, []);
  assert.deepEqual(ruleset.tables[0]?.chains[0]?.base?.devices, ['eth0', 'eth1']);
  assert.equal([...writeListing(ruleset)].join(''), text);
});

test('counts of rules and elements are no part of the canonical text', () => {
  const busy = plain.replaceAll('packets 0 bytes 0', 'packets 17 bytes 1020');
  assert.notEqual(busy, plain);
  assert.equal(canon(busy), canon(plain));
});
