import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { applyTransaction } from '../../../src/netfilter/nft/applyTransaction.ts';
import type { NftCommand } from '../../../src/netfilter/nft/command.ts';
import { parseListing } from '../../../src/netfilter/nft/read/parseListing.ts';
import { parseTransaction } from '../../../src/netfilter/nft/read/parseTransaction.ts';
import { UsualRule } from '../../../src/netfilter/nft/read/usualRule.ts';
import { writeListing } from '../../../src/netfilter/nft/write/writeListing.ts';
import { writeTransaction } from '../../../src/netfilter/nft/write/writeTransaction.ts';
import { recordedNft } from '../../support/recordedNft.ts';
import { assertSameText } from './assertSameText.ts';

for (const { name, version, family, restore, save } of recordedNft()) {
  test(`${name} ${version} ${family}: the transaction is read, printed back, and gives the recorded listing`, () => {
    const text = readFileSync(restore, 'utf8');
    const { commands, problems } = parseTransaction(text);
    assert.deepEqual(problems, []);
    assert.deepEqual(commands.filter(isForeign), []);
    assertSameText([...writeTransaction(commands)].join(''), text);
    if (save !== undefined) {
      assertListed(applyTransaction(commands, refused), readFileSync(save, 'utf8'));
    }
  });
}

function isForeign(command: NftCommand): boolean {
  return command.object === 'rule' && command.rule.statements.some(({ kind }) => kind === 'foreign');
}

function refused(command: number, message: string): void {
  assert.fail(`command ${command}: ${message}`);
}

function assertListed(ruleset: ReturnType<typeof applyTransaction>, listing: string): void {
  assertSameText([...writeListing(ruleset)].join(''), listing);
  // The same data from the text: nothing is lost in either direction.
  assert.deepEqual(parseListing(listing).ruleset.tables.map(withoutPolicy), ruleset.tables.map(withoutPolicy));
}

/** A transaction leaves the policy to nft, and a listing names it. What a listing's usual rules do is read on demand. */
function withoutPolicy(table: ReturnType<typeof applyTransaction>['tables'][number]) {
  return {
    ...table,
    chains: table.chains.map(({ base, rules, ...chain }) => ({
      ...chain,
      ...(base && { base: { type: base.type, hook: base.hook, priority: base.priority } }),
      rules: rules.map((rule) => (rule instanceof UsualRule ? { statements: rule.statements } : rule)),
    })),
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

/** Loaded into Linux 6.18: of two elements for one destination, whether the second is taken. */
const overlaps: readonly (readonly [string, string, boolean])[] = [
  ['10.0.0.0/8', '10.1.0.0/16', false],
  ['10.1.0.0/16', '10.0.0.0/8', true],
  ['10.0.0.0/8', '10.0.0.0/16', false],
  ['10.0.0.0/16', '10.0.0.0/8', false],
  ['10.255.0.0/16', '10.0.0.0/8', false],
  ['10.0.0.0/8', '10.0.0.0/8', true],
  ['0.0.0.0/0', '10.1.1.1', false],
  ['10.1.1.1', '0.0.0.0/0', true],
  ['10.1.1.1', '10.1.1.1/32', true],
  ['10.0.0.0/8', '11.0.0.0/8', true],
];

for (const [first, second, isTaken] of overlaps) {
  test(`after the source range ${first} the kernel ${isTaken ? 'takes' : 'refuses'} ${second}`, () => {
    const refusals: string[] = [];
    const { commands } = parseTransaction(
      [
        'add table ip t',
        'add set ip t s { type ipv4_addr . inet_service . ipv4_addr ; flags interval ; }',
        `add element ip t s { 10.0.0.1 . 80 . ${first} }`,
        'add chain ip t between',
        `add element ip t s { 10.0.0.1 . 80 . ${second} }`,
        // Another destination has nothing to do with it, and a deleted element neither.
        'add chain ip t again',
        `add element ip t s { 10.0.0.1 . 81 . ${second} }`,
        `delete element ip t s { 10.0.0.1 . 80 . ${first} }`,
        `add element ip t s { 10.0.0.1 . 80 . ${second} }`,
      ].join('\n'),
    );
    applyTransaction(commands, (command, message) => refusals.push(`${command} ${message}`));
    assert.deepEqual(refusals, isTaken ? [] : ['4 File exists']);
  });
}

test('element lines in a row are loaded first, last, and back to the second', () => {
  const { commands } = parseTransaction(
    [
      'add table ip t',
      'add map ip t m { type ipv4_addr : verdict ; }',
      'add set ip t s { type ipv4_addr . ipv4_addr ; flags interval ; }',
      'add element ip t m { 10.0.0.1 comment "a" : drop }',
      'add element ip t m { 10.0.0.2 comment "a" : drop }',
      'add element ip t m { 10.0.0.2 comment "b" : drop }',
      'add element ip t s { 10.0.0.1 . 10.1.0.0/16 , 10.0.0.1 . 10.2.0.0/16 }',
      'add element ip t s { 10.0.0.1 . 10.3.0.0/16 }',
      'add element ip t s { 10.0.0.1 . 10.4.0.0/16 }',
    ].join('\n'),
  );
  const [map, set] = applyTransaction(commands, refused).tables[0]?.sets ?? [];
  assert.deepEqual(
    map?.elements.map(({ comment }) => comment),
    ['a', 'b'],
  );
  assert.deepEqual(
    set?.elements.map(({ key }) => key[1]),
    ['10.1.0.0/16', '10.2.0.0/16', '10.4.0.0/16', '10.3.0.0/16'],
  );
});
