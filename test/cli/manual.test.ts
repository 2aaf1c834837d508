import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { roff } from '../../src/cli/manual/roff.ts';
import { root } from '../support/compileCase.ts';
import { runProcess } from '../support/runCli.ts';

const folder = mkdtempSync(join(tmpdir(), 'k8snet-manual-'));
after(() => rmSync(folder, { recursive: true }));

const hasMandoc = spawnSync('mandoc', ['-Tlint', '/dev/null']).error === undefined;
const isNeeded = process.env.K8SNET_REQUIRE_KERNEL === '1';
const pages = JSON.parse(runProcess(['__manuals', '2026-01-31']).stdout) as Readonly<Record<string, string>>;

describe('manual pages', () => {
  it('are there for the program and every command, and package.json names them', () => {
    const { man } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly man: readonly string[] };
    assert.deepEqual(
      man,
      Object.keys(pages).map((name) => `./dist/man/${name}.1.gz`),
    );
    for (const name of ['k8snet', 'k8snet-compile', 'k8snet-check-service', 'k8snet-policy-test', 'k8snet-emit-dns'])
      assert.ok(pages[name] !== undefined, name);
  });

  it('are what mandoc asks for', { skip: !hasMandoc && !isNeeded && 'mandoc is not installed' }, () => {
    const files = Object.entries(pages).map(([name, text]) => {
      writeFileSync(join(folder, `${name}.1`), text);
      return `${name}.1`;
    });
    const { status, stdout, stderr } = spawnSync('mandoc', ['-Tlint', '-Wall', ...files], {
      cwd: folder,
      encoding: 'utf8',
    });
    assert.equal(`${stdout}${stderr}`, '');
    assert.equal(status, 0);
  });

  it('say what the help says', { skip: !hasMandoc && !isNeeded && 'mandoc is not installed' }, () => {
    const file = join(folder, 'trace.1');
    writeFileSync(file, pages['k8snet-trace'] ?? '');
    const { stdout } = spawnSync('mandoc', ['-Tutf8', '-Owidth=100', file], { encoding: 'utf8' });
    const shown = stdout.replace(/.\u0008/g, '');
    assert.match(shown, /^ {5,}k8snet trace \[options\] \[dump\.\.\.\]$/m);
    assert.match(shown, /--expect takes: arrives, answered, leaves/);
    assert.match(shown, /^ {5,}k8snet trace node1\/ --batch packets\.jsonl -o json$/m);
    assert.match(shown, /^ {5,}3 +what decides was not given$/m);
    assert.match(
      shown,
      /k8snet trace \[options\][\s\S]*DESCRIPTION[\s\S]*OPTIONS[\s\S]*READING A CLUSTER[\s\S]*EXIT STATUS[\s\S]*EXAMPLES[\s\S]*SEE ALSO/,
    );
  });

  it('show text as it is, whatever roff would make of it', () => {
    assert.equal(
      roff.text(".SH it's `a` \\n --b-c ~^ é"),
      '\\&.SH it\\(aqs \\(gaa\\(ga \\en \\-\\-b-c \\(ti\\(ha \\[u00E9]',
    );
    assert.equal(roff.literal("'x' -f a-b"), '\\(aqx\\(aq \\-f a\\-b');
  });
});
