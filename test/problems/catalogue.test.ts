import assert from 'node:assert/strict';
import { it } from 'node:test';
import { aidCauseCodes } from '../../src/aid/aidCause.ts';
import { topics } from '../../src/explain/topics.ts';
import { causes } from '../../src/problems/catalogue/causes.ts';
import { diagnosticCatalogue } from '../../src/problems/catalogue/diagnostics.ts';
import { aliasesOf, allProblems, problemOf, problemsOf } from '../../src/problems/problemCatalogue.ts';
import { whyCauseCodes } from '../../src/why/cause.ts';

it('has diagnostics in order, as kebab words, and says of each what to do in sentences', () => {
  const codes = Object.keys(diagnosticCatalogue);
  assert.deepEqual(codes, [...codes].sort());
  for (const [code, { what, fix }] of Object.entries(diagnosticCatalogue)) {
    assert.match(code, /^[a-z0-9]+(?:-[a-z0-9]+)+$/);
    for (const sentence of [what, fix]) assert.match(sentence, /^[\s\S]+[.)]$/, code);
  }
});

it('gives a code to one thing only', () => {
  const codes = allProblems().map(({ code }) => code);
  assert.deepEqual(codes, [...new Set(codes)]);
  for (const code of codes) assert.equal(problemOf(code)?.code, code);
});

it('knows every cause that why and check-service name, and no other', () => {
  const named = new Set<string>([...whyCauseCodes, ...aidCauseCodes]);
  for (const code of named) assert.notEqual(problemOf(code), undefined, code);
  assert.deepEqual(
    Object.keys(causes).filter((code) => !named.has(code)),
    [],
  );
});

it('says of every cause and change what, why and what to do', () => {
  for (const { code, entry } of [...problemsOf('cause'), ...problemsOf('change')]) {
    assert.ok(entry.title !== undefined && entry.what !== '' && !/[.!]$/.test(entry.what), code);
    assert.match(entry.fix, /^(?:`|[A-Z]).*[.]$/s, code);
    if (entry.why !== undefined) assert.match(entry.why, /^.*[.]$/s, code);
  }
});

it('has aliases that are codes, each of which leads back', () => {
  let count = 0;
  for (const { code } of allProblems()) {
    for (const alias of aliasesOf(code)) {
      assert.notEqual(problemOf(alias), undefined, `${code}: ${alias}`);
      assert.ok(aliasesOf(alias).includes(code), `${alias} does not lead back to ${code}`);
      count += 1;
    }
  }
  assert.ok(count >= 10, `${count} aliases`);
});

it('shares with topics only words that mean the same', () => {
  const shared = allProblems().filter(({ code }) => Object.hasOwn(topics, code));
  assert.deepEqual(shared.map(({ code }) => code).sort(), ['dns', 'masquerade', 'network-policy']);
});
