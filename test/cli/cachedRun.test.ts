import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { builtFile, isBuilt } from '../support/builtFile.ts';

const folder = dirname(builtFile('src/cli/main.ts'));
const code = `run-${process.version}-${process.platform}-${process.arch}.code`;
const isCached = isBuilt && existsSync(join(folder, code));
const service = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web' },
  spec: { clusterIP: '10.96.0.10', ports: [{ port: 80 }] },
});

test('the bundle does the same with the code beside it, without it, and with code that is refused', (t) => {
  if (!isCached) return t.skip('needs the command line as npm test builds it');
  const scratch = mkdtempSync(join(tmpdir(), 'k8snet-test-'));
  t.after(() => rmSync(scratch, { recursive: true, force: true }));
  writeFileSync(join(scratch, 'package.json'), '{"type":"module"}');
  for (const file of ['main.js', 'run.js', 'run.cjs']) copyFileSync(join(folder, file), join(scratch, file));
  const compiled = (...flags: string[]) => {
    const words = [...flags, join(scratch, 'main.js'), 'compile', '-q', '-f', '-'];
    const { status, stdout, stderr } = spawnSync(process.execPath, words, { input: service, encoding: 'utf8' });
    assert.deepEqual({ status, stderr }, { status: 0, stderr: '' }, words.join(' '));
    return stdout;
  };
  const without = compiled();
  assert.match(without, /10\.96\.0\.10/);
  const whole = readFileSync(join(folder, code));
  writeFileSync(join(scratch, code), whole);
  assert.equal(compiled(), without);
  // The engine refuses code that was made under other flags.
  assert.equal(compiled('--no-opt'), without);
  for (const cut of [0, 7, whole.length >> 1, whole.length - 1]) {
    writeFileSync(join(scratch, code), whole.subarray(0, cut));
    assert.equal(compiled(), without);
  }
});
