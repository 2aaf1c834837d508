import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

test('the validators are those of the schemas', () => {
  const script = fileURLToPath(new URL('../../scripts/generateValidators.ts', import.meta.url));
  execFileSync(process.execPath, ['--import', 'tsx', script, '--check']);
});

test('the validators need nothing at run time', () => {
  const code = readFileSync(new URL('../../src/validate/validators.generated.mjs', import.meta.url), 'utf8');
  assert.doesNotMatch(code, /\brequire\(|\bimport\b/);
});
