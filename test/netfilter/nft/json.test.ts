import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { NftRuleset } from '../../../src/netfilter/nft/ast.ts';
import { parseJson } from '../../../src/netfilter/nft/read/parseJson.ts';
import { parseListing } from '../../../src/netfilter/nft/read/parseListing.ts';

const pairs = [
  ['fixtures/nft/list-ruleset.json', 'fixtures/nft/listings/a-list-ruleset.txt'],
  ['fixtures/nft/statements.json', 'fixtures/nft/statements.txt'],
  ['fixtures/nft/nat-maps.json', 'fixtures/nft/nat-maps.txt'],
] as const;

for (const [json, listing] of pairs) {
  test(`${json} and ${listing} say the same`, () => {
    const fromJson = parseJson(readFileSync(json, 'utf8'));
    const fromText = parseListing(readFileSync(listing, 'utf8'));
    assert.deepEqual(fromJson.problems, []);
    assert.deepEqual(fromText.problems, []);
    assert.deepEqual(comparable(fromJson.ruleset), comparable(fromText.ruleset));
  });
}

/** Without what nft 1.0.6 leaves out of one of the two, and without what neither reader interprets. */
function comparable(ruleset: NftRuleset): unknown {
  return ruleset.tables.map(({ comment, handle, ...table }) => ({
    ...table,
    sets: table.sets.map(({ flags, handle, ...set }) => ({
      ...set,
      flags: flags.includes('dynamic') ? [] : flags,
      elements: set.elements.map(({ expires, ...element }) => ({ ...element, isExpiring: expires !== undefined })),
    })),
    chains: table.chains.map(({ comment, handle, ...chain }) => ({
      ...chain,
      rules: chain.rules.map(({ statements, comment }) => ({
        comment,
        statements: statements.map((statement) => (statement.kind === 'foreign' ? { kind: 'foreign' } : statement)),
      })),
    })),
  }));
}

test('JSON that is none of ours is reported, never thrown', () => {
  const deep = `{"nftables":[{"rule":{"family":"ip","table":"t","chain":"c","expr":[${'{"concat":['.repeat(500)}1${']}'.repeat(500)}]}}]}`;
  for (const text of ['', '[]', 'null', '{"nftables":5}', '{"nftables":[{"rule":{}}]}', deep]) {
    assert.ok(parseJson(text).problems.length > 0, text);
  }
});
