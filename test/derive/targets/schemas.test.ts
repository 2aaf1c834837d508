import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { Ajv } from 'ajv';
import { root } from '../../support/compileCase.ts';
import { recorded } from '../../support/golden.ts';
import { runCli } from '../../support/runCli.ts';

const fixtures = join(root, 'fixtures');

/** By schema: a recorded output, and runs whose output must keep to it. */
const outputs: readonly (readonly [schema: string, recorded: string, ...runs: (readonly string[])[]])[] = [
  ['emit-dns-output', 'dns-json', ['dns', '-f', 'emit-own/dns-shapes/input.yaml', '--assume-pods', '-o', 'json']],
  [
    'emit-resolve-output',
    'resolve-srv',
    ['dns', '-f', 'emit-own/resolve-alias-loop/input.yaml', '--resolve', 'a', '-o', 'json'],
    ['dns', '-f', 'emit-own/resolve-alias-loop/input.yaml', '--resolve', 'out', '--resolver', 'musl', '-o', 'json'],
  ],
  ['emit-env-output', 'env-json', ['env', '-f', 'emit-own/env-own/input.yaml', '--pod', 'shop/p', '-o', 'json']],
  [
    'emit-resolv-conf-output',
    'resolv-json',
    ['resolv.conf', '-f', 'emit-own/resolv-limits/input.yaml', '--pod', 'shop/p', '-o', 'json'],
  ],
];

for (const [schema, name, ...runs] of outputs) {
  it(`${schema}: what is recorded and what is printed keep to it`, () => {
    const ajv = new Ajv({ allErrors: true, allowUnionTypes: true });
    const isValid = ajv.compile(JSON.parse(readFileSync(join(root, `schema/${schema}.schema.json`), 'utf8')));
    const check = (text: string) => assert.ok(isValid(JSON.parse(text)), JSON.stringify(isValid.errors));
    check(recorded(`emit/${name}/expected.json`) ?? '');
    for (const args of runs) {
      const { stdout, stderr } = runCli(['emit', ...args], { cwd: fixtures });
      assert.notEqual(stdout, '', stderr);
      check(stdout);
    }
    assert.equal(isValid({ schema: 'k8snet.other/v1' }), false);
  });
}

it('the JSON files of --out-dir are those of standard output', () => {
  const out = mkdtempSync(join(tmpdir(), 'k8snet-emit-'));
  try {
    const args = ['emit', 'dns', '-f', 'emit-own/dns-shapes/input.yaml', '--assume-pods'];
    assert.equal(runCli([...args, '--out-dir', out], { cwd: fixtures }).stdout, '');
    const { stdout } = runCli([...args, '-o', 'json'], { cwd: fixtures });
    assert.equal(readFileSync(join(out, 'records.json'), 'utf8'), stdout);
  } finally {
    rmSync(out, { recursive: true });
  }
});
