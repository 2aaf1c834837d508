import assert from 'node:assert/strict';
import { test } from 'node:test';
import { groupChunks } from '../../scripts/commandLine/groupChunks.ts';

const kilobyte = 1000;

/** Chunks by file, of chunks with sizes and the runs that use them. */
function filesOf(chunks: Readonly<Record<string, readonly [size: number, ...runs: number[]]>>) {
  const sizes = new Map(Object.entries(chunks).map(([name, [size]]) => [name, size * kilobyte]));
  const last = Math.max(...Object.values(chunks).flatMap(([, ...runs]) => runs));
  const used = Array.from({ length: last + 1 }, (_, run) =>
    Object.entries(chunks).flatMap(([name, [, ...runs]]) => (runs.includes(run) ? [name] : [])),
  );
  const files = new Map<string, string[]>();
  for (const [chunk, file] of groupChunks(sizes, used)) files.set(file, [...(files.get(file) ?? []), chunk]);
  return { run: files.get('run'), rest: files.get('rest'), all: [...files.values()] };
}

test('chunks that the same runs use are in one file, those that none uses in another', () => {
  const files = filesOf({
    run: [10, 0, 1],
    both: [500, 0, 1],
    one: [500, 1],
    other: [300, 1],
    idle: [5],
    spare: [900],
  });
  assert.deepEqual(files.run, ['run', 'both']);
  assert.deepEqual(files.rest, ['idle', 'spare']);
  assert.deepEqual(files.all.length, 3);
  assert.ok(files.all.some((names) => names.join() === 'one,other'));
});

test('a small chunk that other runs do not need goes along, a large one does not', () => {
  assert.deepEqual(filesOf({ run: [100, 0, 1], small: [9, 1] }).run, ['run', 'small']);
  assert.deepEqual(filesOf({ run: [100, 0, 1], large: [90, 1] }).run, ['run']);
});

test('a chunk that nothing uses never costs a run anything', () => {
  assert.deepEqual(filesOf({ run: [1, 0], idle: [1] }).rest, ['idle']);
});
