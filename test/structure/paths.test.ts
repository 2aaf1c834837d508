import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { rooms } from '../../scripts/rooms.ts';
import { root } from '../support/compileCase.ts';

const texts = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...['docs', 'fixtures', 'golden'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  ),
];

/** What has been is told there, and what is not there any more. */
const history = 'CHANGELOG.md';

describe('paths that texts name', () => {
  for (const file of texts.filter((name) => name !== history)) {
    it(file, () => {
      const text = readFileSync(join(root, file), 'utf8');
      assert.deepEqual([...brokenPaths(file, text), ...brokenLinks(file, text)], []);
    });
  }

  it('a file that is not there is found', () => {
    assert.deepEqual(
      brokenPaths('CONTRIBUTING.md', 'In `src/plan/nothing.ts`, or `plan/nothing.ts`, not `plan/plan.ts`.'),
      ['src/plan/nothing.ts', 'plan/nothing.ts'],
    );
    assert.deepEqual(brokenLinks('docs/api.md', '[a](nothing.md), [b](check.md#top), [c](https://kubernetes.io)'), [
      'nothing.md',
    ]);
  });
});

it('names of files in the repository are plain words', () => {
  const { status, stdout } = spawnSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' });
  // An unpacked release is no repository.
  if (status !== 0) return;
  const names = stdout.split('\0').filter((name) => name !== '');
  assert.deepEqual(
    names.filter((name) => !/^[\w@.,+=/:~-]+$/.test(name)),
    [],
  );
});

it('CONTRIBUTING has a line for each room of src/', () => {
  const table = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|')[1] ?? '')
    .join();
  const named = (path: string) => table.includes(path.endsWith('.ts') ? `\`${path}\`` : `\`${path}/\``);
  assert.deepEqual(
    rooms.map(({ path }) => path).filter((path) => !named(path)),
    [],
  );
});

/** In CONTRIBUTING paths stand below `src/` too, as the map of rooms has them. */
function brokenPaths(file: string, text: string): readonly string[] {
  const own = file === 'CONTRIBUTING.md' ? [...tops, ...rooms.map(({ path }) => path)] : tops;
  const named = [...text.matchAll(/`([\w.{},*-]+(?:\/[\w.{},*-]+)+)\/?`/g)].map(([, path]) => path as string);
  return named.filter((path) => {
    if (!own.includes(path.split('/')[0] as string) || /[A-Z]{3}/.test(path)) return false;
    return ![path, `src/${path}`].some(isThere);
  });
}

/** `*` stands for any name, `{a,b}` for each. */
function isThere(path: string): boolean {
  if (!/[*{]/.test(path)) return existsSync(join(root, path));
  const pattern = path
    .replace(/[.]/g, '\\.')
    .replace(/\*/g, '[^/]*')
    .replace(/\{([^}]*)\}/g, (_, names: string) => `(?:${names.replaceAll(',', '|')})`);
  const full = new RegExp(`^${pattern}(?:/|$)`);
  const top = path.slice(0, path.search(/\/[^/]*[*{]/));
  if (!existsSync(join(root, top))) return false;
  return readdirSync(join(root, top), { recursive: true, encoding: 'utf8' }).some((name) =>
    full.test(`${top}/${name}`),
  );
}

const tops = ['.ci', 'bench', 'bin', 'deploy', 'docs', 'fixtures', 'golden', 'schema', 'scripts', 'src', 'test'];

function brokenLinks(file: string, text: string): readonly string[] {
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => (target as string).replace(/#.*$/, ''))
    .filter((target) => target !== '' && !/^[a-z]+:/.test(target))
    .filter((target) => !existsSync(join(root, dirname(file), target)));
}
