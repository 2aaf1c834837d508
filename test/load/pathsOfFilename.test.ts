import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { run } from '../../src/cli/run.ts';
import { findFiles } from '../../src/load/files/findFiles.ts';

const folder = mkdtempSync(join(tmpdir(), 'k8snet-paths-'));
after(() => rmSync(folder, { recursive: true }));
const service = (name: string) =>
  `apiVersion: v1\nkind: Service\nmetadata: {name: ${name}}\nspec: {clusterIP: None, ports: [{port: 80}]}\n`;
for (const name of ['a', 'b']) writeFileSync(join(folder, `${name}.yaml`), service(name));
const both = [join(folder, 'a.yaml'), join(folder, 'b.yaml')];
const find = (path: string) => findFiles([path], false, ({ message }) => assert.fail(message));

test('a pattern in quotes stands for the files that it matches', () => {
  assert.deepEqual(find(join(folder, '*.yaml')), both);
  assert.deepEqual(find(join(folder, '?.yaml')), both);
});

test('paths set apart by commas are several', () => {
  assert.deepEqual(find(both.join(',')), both);
});

test('a pattern that matches nothing is an error', () => {
  const said: string[] = [];
  assert.deepEqual(
    findFiles([join(folder, '*.nope')], false, ({ message }) => said.push(message)),
    [],
  );
  assert.equal(said.length, 1);
});

test('manifests behind -f up to the next option are its paths', async () => {
  assert.equal(await run(['lint', '-f', ...both, '-q']), 0);
  assert.equal(await run(['lint', '-f', ...both, join(folder, 'c.yaml'), '-q']), 2);
});
