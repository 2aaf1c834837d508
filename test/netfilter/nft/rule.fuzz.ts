import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { canonicalNftRule } from '../../../src/netfilter/nft/canonical/canonicalNftRule.ts';
import type { NftCommand } from '../../../src/netfilter/nft/command.ts';
import { parseJson } from '../../../src/netfilter/nft/read/parseJson.ts';
import { parseListing } from '../../../src/netfilter/nft/read/parseListing.ts';
import { parseTransaction } from '../../../src/netfilter/nft/read/parseTransaction.ts';
import { readRule } from '../../../src/netfilter/nft/read/readRule.ts';
import { writeListing } from '../../../src/netfilter/nft/write/writeListing.ts';
import { writeRule } from '../../../src/netfilter/nft/write/writeRule.ts';
import { writeTransaction } from '../../../src/netfilter/nft/write/writeTransaction.ts';
import { fuzzSeed } from '../../support/fuzzSeed.ts';
import { arbitraryElement, arbitraryRule } from './arbitraryRule.ts';

const runs = { numRuns: 1000, seed: fuzzSeed };

for (const spelling of ['transaction', 'listing'] as const) {
  test(`a rule that is printed as a ${spelling} is read as the same rule`, () => {
    fc.assert(
      fc.property(arbitraryRule, (rule) => {
        assert.deepEqual(readRule(writeRule(rule, spelling), spelling === 'listing'), rule);
      }),
      runs,
    );
  });
}

test('both spellings of a rule have one canonical form, which stays as it is', () => {
  fc.assert(
    fc.property(arbitraryRule, (rule) => {
      const canonical = canonicalNftRule(rule, 'ip');
      assert.deepEqual(canonicalNftRule(readRule(writeRule(rule, 'transaction')), 'ip'), canonical);
      assert.deepEqual(canonicalNftRule(canonical, 'ip'), canonical);
      assert.deepEqual(readRule(writeRule(canonical, 'listing'), true), canonical);
    }),
    runs,
  );
});

test('element commands are read back', () => {
  fc.assert(
    fc.property(fc.array(arbitraryElement, { minLength: 1, maxLength: 4 }), (elements) => {
      const command: NftCommand = { object: 'element', verb: 'add', family: 'ip', table: 't', set: 'm', elements };
      const { commands, problems } = parseTransaction([...writeTransaction([command])].join(''));
      assert.deepEqual(problems, []);
      assert.deepEqual(commands, [command]);
    }),
    runs,
  );
});

const word = fc.constantFrom(
  'table ip t {',
  '\tchain c {',
  '\tset s {',
  '\tmap m {',
  '\t\telements = {',
  '}',
  '\t}',
  'add',
  'flush',
  'rule',
  'element',
  'ip',
  'saddr',
  '"',
  '{',
  ':',
  '.',
  ',',
  'vmap',
  'type',
  'hook',
  'comment',
  '\n',
  '@',
  '# handle',
);
const noise = fc.array(fc.oneof(word, fc.string({ maxLength: 8 })), { maxLength: 40 }).map((words) => words.join(' '));

test('no text makes a reader throw, and what is read can be printed', () => {
  fc.assert(
    fc.property(noise, (text) => {
      const listing = parseListing(text).ruleset;
      assert.equal(typeof [...writeListing(listing)].join(''), 'string');
      assert.equal(typeof [...writeTransaction(parseTransaction(text).commands)].join(''), 'string');
    }),
    runs,
  );
});

test('no JSON makes the reader throw', () => {
  fc.assert(
    fc.property(fc.json(), fc.jsonValue(), (text, value) => {
      parseJson(text);
      const { ruleset } = parseJson(
        JSON.stringify({
          nftables: [
            { table: { family: 'ip', name: 't' } },
            { chain: { family: 'ip', table: 't', name: 'c' } },
            {
              rule: {
                family: 'ip',
                table: 't',
                chain: 'c',
                expr: [{ match: value }, { vmap: value }, { dnat: value }],
              },
            },
            { set: { family: 'ip', table: 't', name: 's', type: 'ipv4_addr', elem: [value] } },
          ],
        }),
      );
      assert.equal(ruleset.tables[0]?.chains[0]?.rules[0]?.statements.length, 3);
    }),
    runs,
  );
});
