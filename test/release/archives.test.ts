import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { unzipSync } from 'fflate';
import { type ArchiveFile, tarArchive, zipArchive } from '../../scripts/release/archive.ts';

const folder = mkdtempSync(join(tmpdir(), 'k8snet-release-'));
after(() => rmSync(folder, { recursive: true }));

const files: readonly ArchiveFile[] = [
  { path: 'k8snet', content: Buffer.from('program\n'.repeat(1000)), isProgram: true },
  { path: 'man/man1/k8snet.1.gz', content: Buffer.from([0, 1, 2, 255]), isProgram: false },
  { path: 'LICENSE', content: Buffer.from('text\n'), isProgram: false },
];

describe('archives of a release', () => {
  it('have the same bytes each time, in whatever order and time zone', async () => {
    const [tar, zip] = [await tarArchive(files), zipArchive(files)];
    assert.deepEqual(await tarArchive([...files].reverse()), tar);
    const zone = process.env.TZ;
    try {
      for (const other of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
        process.env.TZ = other;
        assert.deepEqual(zipArchive([...files].reverse()), zip, other);
        assert.deepEqual(await tarArchive(files), tar, other);
      }
    } finally {
      if (zone === undefined) delete process.env.TZ;
      else process.env.TZ = zone;
    }
  });

  it('are unpacked by tar, programs as programs, and belong to nobody', async () => {
    const file = join(folder, 'k8snet.tar.gz');
    writeFileSync(file, await tarArchive(files));
    const target = join(folder, 'unpacked');
    mkdirSync(target);
    const { status, stderr } = spawnSync('tar', ['-xzf', file, '-C', target, '--no-same-owner'], { encoding: 'utf8' });
    assert.equal(`${status} ${stderr}`, '0 ');
    assert.deepEqual(readdirSync(target, { recursive: true, encoding: 'utf8' }).sort(), [
      'LICENSE',
      'k8snet',
      'man',
      'man/man1',
      'man/man1/k8snet.1.gz',
    ]);
    for (const { path, content, isProgram } of files) {
      assert.deepEqual(readFileSync(join(target, path)), content);
      assert.equal((statSync(join(target, path)).mode & 0o111) !== 0, isProgram, path);
    }
    const { stdout } = spawnSync('tar', ['-tvzf', file, '--numeric-owner'], { encoding: 'utf8' });
    for (const line of stdout.trimEnd().split('\n')) assert.match(line, / 0\/0 .* 1980-01-0[123] /);
  });

  it('are zips for Windows', () => {
    const found = unzipSync(new Uint8Array(zipArchive(files)));
    for (const { path, content } of files) assert.deepEqual(Buffer.from(found[path] ?? []), content, path);
  });
});
