import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Diagnostic } from '../../src/diagnostics/diagnostic.ts';
import { load } from '../../src/load/files/load.ts';
import type { LoadOptions } from '../../src/load/files/readDocuments.ts';
import { builtFile, nodeCommand } from '../support/builtFile.ts';

let folder = '';

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'k8snet-load-'));
  for (const name of [
    'b.yaml',
    'a.yml',
    'B.json',
    'notes.txt',
    'sub/z.yaml',
    'sub/deeper/y.json',
    '\u{10000}.yaml',
    '\uffee.yaml',
  ]) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), JSON.stringify({ apiVersion: 'v1', kind: 'Service', metadata: { name } }));
  }
  mkdirSync(join(folder, 'empty'));
  symlinkSync('.', join(folder, 'sub/ring.yaml'));
  symlinkSync('nowhere', join(folder, 'sub/deeper/broken.yaml'));
});

after(() => rmSync(folder, { recursive: true }));

async function read(paths: readonly string[], options: Partial<LoadOptions> = {}) {
  const diagnostics: Diagnostic[] = [];
  const { objects, sources } = await load(paths, { recursive: false, ...options }, (diagnostic) =>
    diagnostics.push(diagnostic),
  );
  const problems = diagnostics.map(({ code, message }) => `${code}: ${message.replaceAll(folder, '.')}`);
  return { names: objects.map(({ value }) => (value.metadata as { name: string }).name), problems, sources };
}

test('a directory gives its manifests in byte order', async () => {
  const { names, problems } = await read([folder]);
  assert.deepEqual(names, ['B.json', 'a.yml', 'b.yaml', '\uffee.yaml', '\u{10000}.yaml']);
  assert.deepEqual(problems, []);
});

test('-R reads what is below, and follows no ring', async () => {
  const { names, problems } = await read([`${folder}/sub/`], { recursive: true });
  assert.deepEqual(names, ['sub/deeper/y.json', 'sub/z.yaml']);
  assert.deepEqual(problems, ['cannot-read: ./sub/deeper/broken.yaml: no such file or directory']);
});

test('a file is read whatever its name, in the order that was given', async () => {
  const { names } = await read([`${folder}/notes.txt`, `${folder}/a.yml`]);
  assert.deepEqual(names, ['notes.txt', 'a.yml']);
});

test('what cannot be read is reported, and the rest is read', async () => {
  const { names, problems } = await read([
    `${folder}/none.yaml`,
    `${folder}/empty`,
    'https://example.com/a',
    `${folder}/a.yml/b`,
    `${folder}/b.yaml`,
  ]);
  assert.deepEqual(names, ['b.yaml']);
  assert.deepEqual(problems, [
    'cannot-read: ./none.yaml: no such file or directory',
    'no-manifests: directory ./empty has no .yaml, .yml or .json file',
    'cannot-read: https://example.com/a: no such file or directory',
    'cannot-read: ./a.yml/b: a part of the path is not a directory',
  ]);
});

test('a device that never ends is given up', async () => {
  const { problems } = await read(['/dev/zero']);
  assert.equal(problems.length, 1);
  assert.match(problems[0] as string, /^control-character: control character NUL/);
});

test('standard input is read once, and kept', async () => {
  const text = '{"apiVersion": "v1", "kind": "Service", "metadata": {"name": "piped"}}';
  for (const given of [text, Buffer.from(text)]) {
    const { names, problems, sources } = await read(['-', '-'], { stdin: () => given });
    assert.deepEqual(names, ['piped']);
    assert.deepEqual(problems, ['cannot-read: standard input can be read only once']);
    assert.equal(sources.textOf('<stdin>'), text);
    assert.equal(sources.formatOf('<stdin>'), 'json');
  }
});

test("the process's own standard input is read, and neither JSON nor usual YAML loads the full YAML reader", () => {
  const script = `
    import { load } from ${JSON.stringify(builtFile('src/load/files/load.ts'))};
    import { createRequire } from 'node:module';
    const { objects } = await load(['-'], { recursive: false }, console.error);
    const { cache } = createRequire(import.meta.url);
    console.log(objects[0].kind, Object.keys(cache).some((file) => file.includes('node_modules/yaml')));`;
  const [node = '', ...words] = nodeCommand;
  const run = (input: string) =>
    execFileSync(node, [...words, '--input-type=module', '-e', script], {
      input,
      encoding: 'utf8',
    });
  assert.equal(run('{"apiVersion": "v1", "kind": "Service"}'), 'Service false\n');
  assert.equal(run('apiVersion: v1\nkind: Pod\n'), 'Pod false\n');
  assert.equal(run('apiVersion: v1\nkind: &kind Pod\n'), 'Pod true\n');
});

test('plain y and n are true and false, as for Kubernetes, or text where nobody judges as it does', async () => {
  const manifest = 'apiVersion: v1\nkind: Service\nmetadata: {name: y, n: yes}\n';
  const stdin = () => manifest;
  const metadataOf = async (options: Partial<LoadOptions>) => {
    const { objects } = await load(['-'], { recursive: false, stdin, ...options }, () => undefined);
    return objects[0]?.value.metadata;
  };
  assert.deepEqual(await metadataOf({}), { name: true, false: true });
  assert.deepEqual(await metadataOf({ keepsShortWords: true }), { name: 'y', n: true });
});
