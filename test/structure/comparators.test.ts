import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { ascending } from '../../src/common/ascending.ts';
import { root } from '../support/compileCase.ts';

it('comparators return 0 for what is equal, so that it stays in its order', () => {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const never0 = files.filter((name) => {
    const text = readFileSync(join(root, 'src', name), 'utf8');
    return /[Ss]ort(?:ed)?\([^\n]*=>[^\n]*[<>] [^\n?]*\? -?1 : -?1\)/.test(text);
  });
  assert.deepEqual(never0, []);
});

it('orders numbers, texts and large numbers', () => {
  assert.deepEqual([3, 1, 2].sort(ascending), [1, 2, 3]);
  assert.deepEqual(['b', 'B', 'a'].sort(ascending), ['B', 'a', 'b']);
  assert.deepEqual([2n ** 70n, 1n].sort(ascending), [1n, 2n ** 70n]);
  assert.equal(ascending('a', 'a'), 0);
});
