import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, describe, it } from 'node:test';
import type { Diagnostic } from '../../src/diagnostics/diagnostic.ts';
import { findFiles } from '../../src/load/files/findFiles.ts';
import { artefactName } from '../../src/output/artefactName.ts';
import { artefacts } from '../../src/output/artefacts.ts';
import { root } from '../support/compileCase.ts';
import { compileText } from '../support/compileText.ts';
import { cliCommand, runProcess } from '../support/runCli.ts';

const service = join(root, 'fixtures/services/clusterip-single/manifests.yaml');
const folder = mkdtempSync(join(tmpdir(), 'k8snet-writing-'));
const out = join(folder, 'out');

beforeEach(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
});
after(() => rmSync(folder, { recursive: true, force: true }));

function compile(...flags: readonly string[]) {
  return runProcess(['compile', '-f', service, '--node', 'node-1', '--no-allocate', ...flags]);
}

describe('standard output that cannot be written', () => {
  for (const args of [['--version'], ['--help'], ['versions'], ['compile', '-f', service]]) {
    it(`${args[0]}: exit code 74, one line`, () => {
      const command = [...cliCommand, ...args];
      const { status, stderr } = spawnSync('sh', ['-c', '"$@" >/dev/full', 'sh', ...command], { encoding: 'utf8' });
      assert.equal(status, 74);
      assert.match(stderr, /^k8snet: cannot write: no space left\n/m);
      assert.doesNotMatch(stderr, /\n\s+at /);
    });
  }

  it('a closed standard error does not change the exit code', () => {
    const args = ['policy', 'test', '--nope'];
    const command = [...cliCommand, ...args];
    const { status } = spawnSync('sh', ['-c', '"$@" 2>/dev/full', 'sh', ...command], { encoding: 'utf8' });
    assert.equal(status, 2);
  });
});

describe('--out-dir', () => {
  it('ends below /proc, where Node makes folders for ever', { timeout: 60_000 }, () => {
    const { status, stderr } = compile('--out-dir', '/proc/x/y');
    assert.equal(status, 74);
    assert.match(
      stderr,
      /error cannot-write: cannot write into \/proc\/x\/y: no such file or directory; nothing was changed/,
    );
  });

  it('replaces no file where one of them is a folder', () => {
    mkdirSync(join(out, 'sysctl.conf'), { recursive: true });
    const { status, stderr } = compile('--out-dir', out);
    assert.equal(status, 74);
    assert.match(stderr, /it is a directory; nothing was changed there/);
    assert.deepEqual(readdirSync(out), ['sysctl.conf']);
  });

  it('removes what killed runs left, and nothing else', () => {
    mkdirSync(out);
    const dead = spawnSync(process.execPath, ['-e', '']).pid;
    const old = join(out, `.iptables.v6.save.${process.pid}.tmp`);
    for (const path of [join(out, `.apply.sh.${dead}.tmp`), old, join(out, `.apply.sh.${process.pid}.tmp`)]) {
      writeFileSync(path, '');
    }
    // A number that another process has by now.
    utimesSync(old, 0, 0);
    for (const name of [`.notes.${dead}.tmp`, '.apply.sh.tmp', 'x.1.tmp']) writeFileSync(join(out, name), '');
    assert.equal(compile('--out-dir', out).status, 0);
    const hidden = readdirSync(out).filter((name) => name.endsWith('.tmp'));
    assert.deepEqual(
      hidden.sort(),
      [`.apply.sh.${process.pid}.tmp`, '.apply.sh.tmp', `.notes.${dead}.tmp`, 'x.1.tmp'].sort(),
    );
  });

  it('removes the files of another mode, and says so', () => {
    mkdirSync(out);
    writeFileSync(join(out, 'nft.v4.save.orig'), '');
    compile('--out-dir', out, '--mode', 'nftables');
    assert.ok(existsSync(join(out, 'nft.v4.save')));
    const { status, stderr } = compile('--out-dir', out, '--mode', 'ipvs');
    assert.equal(status, 0, stderr);
    assert.match(
      stderr,
      /note stale-files-removed: .*: nft\.v4\.restore, nft\.v4\.save, nft\.v6\.restore, nft\.v6\.save\n/,
    );
    assert.deepEqual(
      readdirSync(out).filter((name) => name.startsWith('nft')),
      ['nft.v4.save.orig'],
    );
    assert.doesNotMatch(compile('--out-dir', out, '--mode', 'ipvs').stderr, /stale-files-removed/);
  });

  it('keeps a file that is not certainly ours', () => {
    mkdirSync(out);
    writeFileSync(join(out, 'health.txt'), 'mine');
    const { stderr } = compile('--out-dir', out);
    assert.doesNotMatch(stderr, /stale-files-removed/);
    assert.ok(existsSync(join(out, 'health.txt')));
  });

  it('knows the names of all artefacts', async () => {
    for (const mode of ['iptables', 'ipvs', 'nftables'] as const) {
      const { compiled } = await compileText('', `--mode=${mode}`);
      const names = (await artefacts(compiled, { hasNfacct: false }, () => undefined)).map(({ name }) => name);
      assert.ok(names.length > 3);
      assert.deepEqual(
        names.filter((name) => artefactName(name) === undefined),
        [],
      );
    }
  });
});

it('reads no pipe and no device of a directory', { timeout: 60_000 }, () => {
  for (const name of ['a.yaml', 'b.yaml']) writeFileSync(join(folder, name), '');
  spawnSync('mkfifo', [join(folder, 'c.yaml')]);
  symlinkSync('c.yaml', join(folder, 'd.yaml'));
  symlinkSync('/dev/zero', join(folder, 'e.json'));
  symlinkSync('b.yaml', join(folder, 'f.yaml'));
  const said: Diagnostic[] = [];
  const found = findFiles([folder], false, (diagnostic) => said.push(diagnostic));
  assert.deepEqual(
    found.map((path) => path.slice(folder.length + 1)),
    ['a.yaml', 'b.yaml', 'f.yaml'],
  );
  assert.deepEqual(
    said.map(({ code }) => code),
    Array(3).fill('special-file-skipped'),
  );
  // Named, a pipe is read: <(kubectl get …) is one.
  assert.deepEqual(
    findFiles([join(folder, 'c.yaml')], false, (diagnostic) => said.push(diagnostic)),
    [join(folder, 'c.yaml')],
  );
  assert.equal(said.length, 3);
});
