import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { applyTransaction } from '../../../src/netfilter/nft/applyTransaction.ts';
import { parseListing } from '../../../src/netfilter/nft/parseListing.ts';
import { parseTransaction } from '../../../src/netfilter/nft/parseTransaction.ts';
import { writeListing } from '../../../src/netfilter/nft/writeListing.ts';
import { writeTransaction } from '../../../src/netfilter/nft/writeTransaction.ts';
import { assertSameText } from './assertSameText.ts';

const cases = readdirSync('golden/recorded/services').filter((name) =>
  existsSync(`golden/recorded/services/${name}/nftables`),
);

for (const family of ['v4', 'v6']) {
  test(`recorded ${family} transactions are read, printed back, and give the recorded listing`, async (t) => {
    for (const name of cases) {
      const base = `golden/recorded/services/${name}/nftables/nft.${family}`;
      if (!existsSync(`${base}.restore`)) {
        continue;
      }
      await t.test(name, () => {
        const text = readFileSync(`${base}.restore`, 'utf8');
        const { commands, problems } = parseTransaction(text);
        assert.deepEqual(problems, []);
        assertSameText([...writeTransaction(commands)].join(''), text);
        // One case is refused by the kernel, so it has no listing.
        if (existsSync(`${base}.save`)) {
          assertListed(applyTransaction(commands, refused), readFileSync(`${base}.save`, 'utf8'));
        }
      });
    }
  });
}

function refused(command: number, message: string): void {
  assert.fail(`command ${command}: ${message}`);
}

function assertListed(ruleset: ReturnType<typeof applyTransaction>, listing: string): void {
  assertSameText([...writeListing(ruleset)].join(''), listing);
  // The same data from the text: nothing is lost in either direction.
  assert.deepEqual(parseListing(listing).ruleset.tables.map(withoutPolicy), ruleset.tables.map(withoutPolicy));
}

/** A transaction leaves the policy to nft, and a listing names it. */
function withoutPolicy(table: ReturnType<typeof applyTransaction>['tables'][number]) {
  return {
    ...table,
    chains: table.chains.map(({ base, ...chain }) =>
      base === undefined ? chain : { ...chain, base: { type: base.type, hook: base.hook, priority: base.priority } },
    ),
  };
}

test('lines that are no command are reported with their number', () => {
  const { commands, problems } = parseTransaction(
    [
      '# comment',
      'add table ip t',
      'frobnicate',
      'add set ip t s { nonsense }',
      'add rule ip t',
      'add element ip t s {',
    ].join('\n'),
  );
  assert.equal(commands.length, 1);
  assert.deepEqual(
    problems.map(({ line }) => line),
    [3, 4, 5, 6],
  );
});

test('whole tables in a file are read like listings', () => {
  const block = 'table ip t {\n\tset s {\n\t\ttype ipv4_addr\n\t\telements = { 10.0.0.2, 10.0.0.1 }\n\t}\n}\n';
  const { commands, problems } = parseTransaction(`add table ip t\ndelete table ip t\n${block}`);
  assert.deepEqual(problems, []);
  assert.deepEqual(
    commands.map(({ object, verb }) => `${verb} ${object}`),
    ['add table', 'delete table', 'add block'],
  );
  assert.equal(
    [...writeListing(applyTransaction(commands))].join(''),
    block.replace('10.0.0.2, 10.0.0.1', '10.0.0.1, 10.0.0.2'),
  );
});

test('what the kernel refuses is told by the command that fails', () => {
  const told: string[] = [];
  const { commands } = parseTransaction(
    [
      'add chain ip t c',
      'add table ip t',
      'create table ip t',
      'add rule ip t nowhere drop',
      'add element ip t nowhere { 10.0.0.1 }',
      'add map ip t m { type ipv4_addr : verdict ; }',
      'add element ip t m { 10.0.0.1 comment "first" : drop }',
      'add element ip t m { 10.0.0.1 comment "second" : drop }',
      'add element ip t m { 10.0.0.1 : accept }',
      'delete element ip t m { 10.0.0.2 }',
      'delete set ip t nowhere',
    ].join('\n'),
  );
  const ruleset = applyTransaction(commands, (command, message) => told.push(`${command} ${message}`));
  const missing = 'No such file or directory';
  assert.deepEqual(told, [
    `0 ${missing}`,
    '2 File exists',
    `3 ${missing}`,
    `4 ${missing}`,
    '8 File exists',
    `9 ${missing}`,
    `10 ${missing}`,
  ]);
  assert.deepEqual(ruleset.tables[0]?.sets[0]?.elements, [
    { key: ['10.0.0.1'], comment: 'first', verdict: { kind: 'drop' } },
  ]);
});
