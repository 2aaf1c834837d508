import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import type { NftRule, Statement } from '../../../src/netfilter/nft/ast.ts';
import { canonicalNftRule } from '../../../src/netfilter/nft/canonical/canonicalNftRule.ts';
import { readRule } from '../../../src/netfilter/nft/read/readRule.ts';
import { usualRule } from '../../../src/netfilter/nft/read/usualRule.ts';
import { writeRule } from '../../../src/netfilter/nft/write/writeRule.ts';
import { fuzzSeed as seed } from '../../support/fuzzSeed.ts';
import { recordedNft } from '../../support/recordedNft.ts';

/** Rules that are taken for usual, by their text alone: what the reader of all rules makes of them says the same. */
function assertUsual(text: string): void {
  const rule: NftRule = readRule(text, true);
  assert.deepEqual(usualRule(text)?.statements, rule.statements, text);
  assert.equal(rule.comment ?? rule.handle, undefined, text);
  assert.equal(writeRule(rule, 'listing'), text);
  for (const family of ['ip', 'ip6', 'inet']) assert.equal(canonicalNftRule(rule, family), rule, text);
  assert.ok(rule.statements.every(isEven), text);
}

function isEven(statement: Statement): boolean {
  const lookup = statement.kind === 'vmap' ? statement : statement.kind === 'nat' ? statement.lookup : undefined;
  if (lookup === undefined) return statement.kind !== 'foreign';
  if (lookup.key.kind !== 'numgen' || lookup.map.kind !== 'anonymousMap') return false;
  const { elements } = lookup.map;
  const targets = elements.map(({ verdict, value }) => JSON.stringify(verdict ?? value));
  const isNumbered = elements.every(({ key }, at) => key.length === 1 && key[0] === `${at}`);
  return isNumbered && elements.length === lookup.key.modulus && new Set(targets).size === elements.length;
}

/** Rules of chains of Services and endpoints, as nft lists them. */
const listed = new Set(
  recordedNft().flatMap(({ save }) => {
    let chain = '';
    return (save === undefined ? [] : readFileSync(save, 'utf8').split('\n')).flatMap((line) => {
      chain = /^\tchain (\S+)/.exec(line)?.[1] ?? chain;
      return line.startsWith('\t\t') && /^(?:service|local|external|endpoint)-.*\//.test(chain) ? [line.slice(2)] : [];
    });
  }),
);
const usual = [...listed].filter((text) => usualRule(text) !== undefined);

test('recorded rules that are usual read as any others', () => {
  for (const text of usual) assertUsual(text);
});

test('all rules of endpoints, and all choices among them, are usual', () => {
  const shapes = [
    /^ip6? saddr \S+ jump mark-for-masquerade$/,
    /dnat to /,
    /dnat ip6? to numgen/,
    /^numgen .* vmap/,
    /^goto service-/,
    /^jump mark-for-masquerade$/,
  ];
  for (const shape of shapes) {
    const own = [...listed].filter((text) => shape.test(text) && !text.includes('/24') && !text.includes('/64'));
    assert.ok(own.length > 0, `${shape}`);
    for (const text of own) assert.ok(usualRule(text), text);
  }
});

test('what reads otherwise, or is uneven, is not usual', () => {
  for (const text of unusual) assert.equal(usualRule(text), undefined, text);
});

test(`changed rules that are taken for usual read as any others (seed ${seed})`, () => {
  let [count, changed] = [0, 0];
  const place = fc.nat({ max: 1000 });
  const edit = fc.record({ at: place, less: fc.nat({ max: 3 }), piece: fc.constantFrom('', '', ...pieces) });
  const rules = fc.constantFrom(...usual.filter((text) => text.length < 1000));
  fc.assert(
    fc.property(rules, fc.array(edit, { minLength: 1, maxLength: 3 }), (rule, edits) => {
      const text = edits.reduce((now, { at, less, piece }) => {
        const from = at % (now.length + 1);
        return now.slice(0, from) + piece + now.slice(from + less);
      }, rule);
      if (usualRule(text) === undefined) return;
      count += 1;
      if (text !== rule) changed += 1;
      assertUsual(text);
    }),
    { seed, numRuns: 20_000 },
  );
  assert.ok(count > 500 && changed > 300, `${count} were usual, ${changed} of them changed`);
});

const pieces = [
  '0',
  '1',
  '25',
  ' ',
  ', ',
  ' : ',
  ':',
  '::',
  '.',
  '/',
  'a',
  'f',
  '"',
  '{',
  '}',
  '\t',
  '#',
  '-',
  'goto ',
];

const unusual: readonly string[] = [
  'ip saddr 010.0.0.1 jump mark-for-masquerade',
  'ip saddr 10.0.0.256 jump mark-for-masquerade',
  'ip saddr 10.0.0.0/24 jump mark-for-masquerade',
  'ip saddr != 10.0.0.1 jump mark-for-masquerade',
  'ip saddr 10.0.0.1 jump mark-for-masquerade # handle 5',
  'ip saddr 10.0.0.1 jump mark-for-masquerade comment "x"',
  'ip saddr 10.0.0.1 counter packets 0 bytes 0 jump mark-for-masquerade',
  'ip6 saddr fd00:0:0::1 jump mark-for-masquerade',
  'ip6 saddr fd00::00f1 jump mark-for-masquerade',
  'ip6 saddr ::ffff:a00:1 jump mark-for-masquerade',
  'meta l4proto tcp dnat to 10.0.0.1',
  'meta l4proto tcp dnat to 10.0.0.1:0',
  'meta l4proto tcp dnat to 10.0.0.1:65536',
  'meta l4proto tcp dnat to 10.0.0.1:http',
  'meta l4proto 6 dnat to 10.0.0.1:80',
  'meta l4proto tcp dnat to 10.0.0.1:80 ',
  'meta l4proto tcp dnat to [fd00:0::1]:80',
  'goto',
  'goto service-a b',
  'jump mark-for-masquerade # handle 7',
  'jump another-chain',
  // None leads to number 1; two lead to one; more than there are; fewer than there are.
  'numgen random mod 3 vmap { 0 : goto endpoint-a, 2 : goto endpoint-b, 1 : goto endpoint-c }',
  'numgen random mod 2 vmap { 0 : goto endpoint-a, 1 : goto endpoint-a }',
  'numgen random mod 1 vmap { 0 : goto endpoint-a, 1 : goto endpoint-b }',
  'numgen random mod 3 vmap { 0 : goto endpoint-a, 1 : goto endpoint-b }',
  'numgen random mod 0 vmap { }',
  'numgen random mod 2 offset 1 vmap { 0 : goto endpoint-a, 1 : goto endpoint-b }',
  'numgen inc mod 2 vmap { 0 : goto endpoint-a, 1 : goto endpoint-b }',
  'numgen random mod 2 vmap { 0 : jump endpoint-a, 1 : jump endpoint-b }',
  'numgen random mod 2 vmap { 0 : goto endpoint-a, 1 : goto endpoint-b } comment "x"',
  'numgen random mod 2 vmap { 0 : goto endpoint-a, 1 : goto endpoint-b',
  'meta l4proto tcp dnat ip to numgen random mod 2 map { 0 : 10.0.0.1 . 80, 1 : 10.0.0.1 . 80 }',
  'meta l4proto tcp dnat ip to numgen random mod 2 map { 0 : 10.0.0.1 . 80, 1 : 10.0.0.2 . http }',
  'meta l4proto tcp dnat ip to numgen random mod 2 map { 0 : 10.0.0.1 . 80, 1 : 10.0.0.2 . 80 } random',
  'meta l4proto tcp dnat ip6 to numgen random mod 1 map { 0 : FD00::1 . 80 }',
];
