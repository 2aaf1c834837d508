import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { rollTypes } from '../../scripts/rollTypes.ts';
import { root } from '../support/compileCase.ts';
import { assertGolden } from '../support/golden.ts';

const golden = 'api/surface.ts.txt';

// What programs can count on: a change of it is a change of the version.
it('the surface of the API is the known one', async () => {
  const { surface } = await rollTypes();
  const known = readFileSync(join(root, 'golden/compiled', golden), 'utf8');
  if (process.env.UPDATE_GOLDEN === undefined)
    assert.deepEqual({ come: newLines(surface, known), gone: newLines(known, surface) }, { come: [], gone: [] });
  assertGolden(golden, surface);
});

function newLines(text: string, before: string): readonly string[] {
  const known = new Set(before.split('\n'));
  return text.split('\n').filter((line) => !known.has(line));
}
