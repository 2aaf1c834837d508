import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { importCycles } from '../../scripts/importCycles.ts';
import { root } from '../support/compileCase.ts';

describe('files of src/', () => {
  it('do not import each other', () => {
    const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.tsx?$/.test(name),
    );
    assert.ok(files.length > 300);
    const texts = new Map(files.map((name) => [`src/${name}`, readFileSync(join(root, 'src', name), 'utf8')]));
    assert.deepEqual(importCycles(texts), []);
    // The same files, with one import that closes a cycle.
    const [port, family] = ['src/model/servicePort.ts', 'src/common/addresses/family.ts'];
    assert.match(texts.get(port) ?? '', /'\.\.\/common\/addresses\/family\.ts'/);
    texts.set(family, `import type { ServicePort } from '../../model/servicePort.ts';\n${texts.get(family)}`);
    assert.equal(importCycles(texts).length, 1);
  });

  const cycles: readonly (readonly [string, Readonly<Record<string, string>>, readonly string[]])[] = [
    [
      'types',
      { 'a.ts': "import type { B } from './b.ts';", 'b.ts': "import type { A } from './a.ts';" },
      ['a.ts imports b.ts; b.ts imports a.ts'],
    ],
    [
      'lazy imports',
      { 'a.ts': "export { b } from './b.ts';", 'b.ts': "const a = await import('./a.ts');" },
      ['a.ts imports b.ts; b.ts imports a.ts'],
    ],
    [
      'three files, beside one that only leads there',
      {
        'x.ts': "import './a/a.ts';",
        'a/a.ts': "import {\n  b,\n} from '../b.ts';",
        'b.ts': "import { c } from './c.ts';",
        'c.ts': "import { a } from './a/a.ts';",
      },
      ['a/a.ts imports b.ts; b.ts imports c.ts; c.ts imports a/a.ts'],
    ],
    ['a file alone', { 'a.ts': "import { a } from './a.ts';" }, ['a.ts imports a.ts']],
    [
      'no cycle: two ways to one file',
      {
        'a.ts': "import { b } from './b.ts';\nimport { c } from './c.ts';",
        'b.ts': "import { c } from './c.ts';",
        'c.ts': "import { readFileSync } from 'node:fs';",
      },
      [],
    ],
  ];
  for (const [name, texts, expected] of cycles) {
    it(`are found: ${name}`, () => {
      assert.deepEqual(importCycles(new Map(Object.entries(texts))), expected);
    });
  }
});
