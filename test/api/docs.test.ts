import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import * as api from '../../src/public/api.ts';
import { builtFile, nodeCommand } from '../support/builtFile.ts';
import { root } from '../support/compileCase.ts';

// Every example of docs/api.md is run as it stands; the text block behind it is what it must print.
const page = readFileSync(join(root, 'docs/api.md'), 'utf8');
const examples = [...page.matchAll(/^## (.*)\n\n```js\n([\s\S]*?)^```\n\n```text\n([\s\S]*?)^```$/gm)];

describe('docs/api.md', () => {
  it('has an example for each section', () => {
    assert.equal(examples.length, page.match(/^## /gm)?.length);
  });

  it('names each function that there is, and no other', () => {
    const functions = Object.keys(api).sort();
    const rows = page.split('\n').filter((line) => line.startsWith('| `'));
    const named = rows.flatMap((row) => [...(row.split(' | ')[0] ?? '').matchAll(/`(\w+)\(/g)].map(([, name]) => name));
    assert.deepEqual(named.sort(), functions);
  });

  for (const [, title = '', code = '', output] of examples) {
    it(title, () => {
      const module = code.replace("'k8snet'", JSON.stringify(builtFile('src/public/api.ts')));
      const [node = '', ...words] = nodeCommand;
      const { stdout, stderr, status } = spawnSync(node, [...words, '--input-type=module', '-e', module], {
        cwd: root,
        encoding: 'utf8',
      });
      assert.equal(status, 0, stderr);
      assert.equal(stdout, output, stderr);
    });
  }
});
