import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Ajv } from 'ajv';
import { root } from '../support/compileCase.ts';
import { assertGolden } from '../support/golden.ts';
import { runMany } from '../support/runMany.ts';
import { aidCases, argsOf, plantCase } from './cases.ts';

/** `check-service` names a planted fault first, and nothing where nothing is wrong. */

const isValid = new Ajv().compile(
  JSON.parse(readFileSync(join(root, 'schema/check-service-output.schema.json'), 'utf8')),
);

const exits = { 'in-order': 0, broken: 1, unknown: 3 } as const;

describe('check-service of a cluster', () => {
  for (const each of aidCases()) {
    it(`${each.name}: ${each.what}`, () => {
      const { cwd, remove } = plantCase(each);
      try {
        const commands = [
          ['-o', 'json'],
          ['-o', 'text'],
        ].map((form) => ['check-service', ...argsOf(each), '-q', ...form]);
        const [json, text] = runMany(commands, cwd);
        const page = JSON.parse(json?.stdout || `{"verdict":${JSON.stringify(json?.stderr)}}`);
        const { verdict, causes } = page;
        assert.equal(verdict, each.verdict, text?.stdout);
        assert.equal(causes[0]?.id, each.first, text?.stdout);
        assert.ok(isValid(page), JSON.stringify(isValid.errors));
        assert.equal(json?.status, exits[each.verdict]);
        assertGolden(`check-service/${each.name}.txt`, text?.stdout ?? '');
      } finally {
        remove();
      }
    });
  }
});
