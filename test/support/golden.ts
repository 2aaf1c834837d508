import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './compileCase.ts';

/** A recorded output; undefined where none was recorded. Recordings are facts: nothing in the project writes them. */
export function recorded(path: string): string | undefined {
  const file = join(root, 'golden/recorded', path);
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/** Compares with a golden file of our own making; `npm test -- --update`, or UPDATE_GOLDEN=1, rewrites it. */
export function assertGolden(path: string, actual: string): void {
  const file = join(root, 'golden/compiled', path);
  if (process.env.UPDATE_GOLDEN) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, actual);
    return;
  }
  assert.equal(
    actual,
    existsSync(file) ? readFileSync(file, 'utf8') : undefined,
    `differs from golden/compiled/${path}`,
  );
}
