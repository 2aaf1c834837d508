import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { roomProblems, rooms } from '../../scripts/rooms.ts';
import { root } from '../support/compileCase.ts';

describe('rooms of src/', () => {
  it('import only what stands below them', () => {
    const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.tsx?$/.test(name),
    );
    assert.ok(files.length > 300);
    const problems = files.flatMap((name) =>
      roomProblems(`src/${name}`, readFileSync(join(root, 'src', name), 'utf8')),
    );
    assert.deepEqual(problems, []);
  });

  it('have folders of at most some twenty files', () => {
    const counts = new Map<string, number>();
    for (const name of readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })) {
      if (/\.tsx?$/.test(name)) counts.set(dirname(name), (counts.get(dirname(name)) ?? 0) + 1);
    }
    assert.ok(counts.size > 100);
    assert.deepEqual(
      [...counts].filter(([, count]) => count > 22),
      [],
    );
  });

  it('hold rules as data: diff looks at none by a regular expression', () => {
    const files = readdirSync(join(root, 'src/diff'), { recursive: true, encoding: 'utf8' });
    const found = files
      .filter((name) => name.endsWith('.ts'))
      .flatMap((name) => {
        const lines = readFileSync(join(root, 'src/diff', name), 'utf8').split('\n');
        return lines.flatMap((line) => (hasRegExp(line) ? [`${name}: ${line.trim()}`] : []));
      });
    assert.deepEqual(found, []);
    assert.ok(
      hasRegExp('if (/^KUBE-/.test(name))') && hasRegExp('new RegExp(word)') && hasRegExp("a.replace(/:.*$/, '')"),
    );
    assert.ok(!hasRegExp('half / 2 // words') && !hasRegExp(' * `ns/name`') && !hasRegExp("import '../a/b.ts';"));
  });

  it('are all in the list', () => {
    const listed = new Set(rooms.map(({ path }) => path));
    assert.deepEqual(
      readdirSync(join(root, 'src')).filter((name) => !listed.has(name)),
      [],
    );
  });

  it('refuse each import that a rule forbids', () => {
    for (const [at, room] of rooms.entries()) {
      const file = isFile(room.path) ? `src/${room.path}` : `src/${room.path}/x.ts`;
      const up = '../'.repeat(file.split('/').length - 2) || './';
      for (const [other, { path }] of rooms.entries()) {
        if (other === at) continue;
        const target = isFile(path) ? path : `${path}/a.ts`;
        const isInside = (rooms: readonly string[]) => rooms.some((one) => path === one || path.startsWith(`${one}/`));
        const isForbidden = other > at || isInside(room.not ?? []) || room.only?.includes(path) === false;
        const problems = roomProblems(file, `import { a } from '${up}${target}';`);
        assert.equal(problems.length > 0, isForbidden, `${room.path} and ${path}: ${problems.join()}`);
      }
      const node = roomProblems(file, "import { dirname, join } from 'node:path';");
      assert.equal(node.length > 0, room.usesNode !== true, room.path);
    }
  });

  for (const [file, line, problem] of [
    ['src/emit/iptables/x.ts', "import { a } from '../../output/a.ts';", /output, which stands above emit/],
    ['src/diff/x.ts', "import { a } from '../plan/a.ts';", /plan, which diff must not know/],
    ['src/diff/x.ts', "const { a } = await import('../emit/policy/a.ts');", /emit, which diff must not know/],
    ['src/node/x.ts', "import type { A } from '../plan/plan.ts';", /plan, which node must not know/],
    ['src/plan/x.ts', "import { readFileSync } from 'node:fs';", /works without Node/],
    ['src/emit/ipvs/x.ts', "import { a } from '../iptables/a.ts';", /emitters stand apart/],
    [
      'src/cli/commands/x.ts',
      "import { compile } from '../../pipeline/compile.ts';",
      /pipeline, which cli must not know/,
    ],
    ['src/attic/x.ts', '', /in no room/],
  ] as const) {
    it(`refuse ${line || file} in ${file}`, () => {
      assert.match(roomProblems(file, line).join('\n'), problem);
    });
  }
});

function isFile(path: string): boolean {
  return path.endsWith('.ts');
}

/** A literal stands where a value does. */
function hasRegExp(line: string): boolean {
  return /\bRegExp\b|(?:[(,=:?&|!]|\breturn|=>)\s*\/(?![/*])/.test(line);
}
