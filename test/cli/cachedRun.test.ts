import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { builtFile, isBuilt } from '../support/builtFile.ts';
import { root } from '../support/compileCase.ts';

const folder = dirname(builtFile('src/cli/main.ts'));
const program = join(folder, 'program');
const suffix = `-${process.version}-${process.platform}-${process.arch}.code`;
const isCached = isBuilt && existsSync(join(program, `run${suffix}`));
const service = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web' },
  spec: { clusterIP: '10.96.0.10', ports: [{ port: 80 }] },
});

test('the bundle has ASCII characters only, and knows others in what it reads', (t) => {
  if (!isCached) return t.skip('needs the command line as npm test builds it');
  for (const name of filesOf('.cjs')) {
    assert.ok(
      readFileSync(join(program, name)).every((byte) => byte < 0x80),
      name,
    );
  }
  const boxed = join(root, 'fixtures/pasted/k9s-box.txt');
  const { status, stdout } = spawnSync(process.execPath, [join(folder, 'main.js'), 'canon', boxed], {
    encoding: 'utf8',
  });
  assert.equal(status, 0);
  assert.match(stdout, /-A KUBE-SERVICES /);
});

test('the bundle does the same with the code beside it, without it, and with code that is refused', (t) => {
  if (!isCached) return t.skip('needs the command line as npm test builds it');
  const scratch = mkdtempSync(join(tmpdir(), 'k8snet-test-'));
  t.after(() => rmSync(scratch, { recursive: true, force: true }));
  writeFileSync(join(scratch, 'package.json'), '{"type":"module"}');
  const [scripts, codes] = [filesOf('.cjs'), filesOf(suffix)];
  assert.equal(codes.length, scripts.length);
  mkdirSync(join(scratch, 'program'));
  for (const file of ['main.cjs', 'main.js', ...scripts.map((name) => `program/${name}`)])
    copyFileSync(join(folder, file), join(scratch, file));
  const output = (input: string, ...words: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, words, { input, encoding: 'utf8' });
    assert.deepEqual({ status, stderr }, { status: 0, stderr: '' }, words.join(' '));
    return stdout;
  };
  // `canon` is loaded late.
  const compiled = (...flags: string[]) => {
    const save = output(service, ...flags, join(scratch, 'main.js'), 'compile', '-q', '-f', '-');
    return `${save}${output(save, ...flags, join(scratch, 'main.js'), 'canon', '-')}`;
  };
  const without = compiled();
  assert.match(without, /10\.96\.0\.10/);
  const compiledWith = (change: (code: Buffer) => Uint8Array, ...flags: string[]) => {
    for (const name of codes) writeFileSync(join(scratch, 'program', name), change(readFileSync(join(program, name))));
    return compiled(...flags);
  };
  assert.equal(
    compiledWith((code) => code),
    without,
  );
  // The engine refuses code that was made under other flags.
  assert.equal(compiled('--no-opt'), without);
  for (const part of [0, 1e-5, 0.5, 0.99999])
    assert.equal(
      compiledWith((code) => code.subarray(0, part * code.length)),
      without,
    );
  // It does not notice bytes that are wrong.
  for (const part of [0.2, 0.4, 0.6, 0.8])
    assert.equal(
      compiledWith((code) => damaged(code, part)),
      without,
    );
});

test('the engine takes the code that the build wrote for a usual run', (t) => {
  if (!isCached) return t.skip('needs the command line as npm test builds it');
  // Not in this process, which has flags of its own: the engine takes code for the same flags only.
  const judged = filesOf(suffix).map((name) => [join(program, name.replace(suffix, '.cjs')), join(program, name)]);
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', refusedCode, JSON.stringify(judged)], {
    encoding: 'utf8',
  });
  assert.deepEqual({ status, stderr, stdout }, { status: 0, stderr: '', stdout: '[]\n' });
  assert.ok(judged.length > 1);
});

/** Prints which of the files of code, each given behind its script, the engine refuses. */
const refusedCode = `
const { readFileSync } = require('node:fs');
const { Script } = require('node:vm');
const refused = JSON.parse(process.argv[1]).filter(([filename, code]) => {
  const cachedData = readFileSync(code).subarray(0, -4);
  return new Script(readFileSync(filename, 'latin1'), { filename, cachedData }).cachedDataRejected;
});
console.log(JSON.stringify(refused));
`;

/** Names of files of the program. */
function filesOf(end: string): readonly string[] {
  return readdirSync(program).filter((name) => name.endsWith(end));
}

function damaged(code: Buffer, part: number): Buffer {
  const copy = Buffer.from(code);
  const start = Math.floor(part * copy.length);
  for (let at = start; at < Math.min(start + 1000, copy.length); at += 1) copy[at] = (copy[at] as number) ^ 0x55;
  return copy;
}
