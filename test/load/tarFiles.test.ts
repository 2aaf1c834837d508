import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { packFiles } from '../../src/load/files/packFiles.ts';
import { tarFiles } from '../../src/load/files/tarFiles.ts';

const folder = mkdtempSync(join(tmpdir(), 'k8snet-tar-'));
after(() => rmSync(folder, { recursive: true }));

const long = `${'a-folder-with-a-long-name/'.repeat(6)}iptables v4.save`;

describe('archives', () => {
  for (const format of ['ustar', 'pax', 'gnu']) {
    it(`of the format ${format} keep long names`, async () => {
      const name = format === 'ustar' ? long : `${'b'.repeat(120)}/${long}`;
      const inside = join(folder, format);
      mkdirSync(join(inside, name, '..'), { recursive: true });
      writeFileSync(join(inside, name), '*nat\nCOMMIT\n');
      const file = join(folder, `${format}.tar`);
      execFileSync('tar', [`--format=${format}`, '-cf', file, '-C', inside, '.']);
      const read = await tarFiles(readFileSync(file));
      assert.deepEqual(
        read?.files.map((one) => [one.name, one.content.toString()]),
        [[`./${name}`, '*nat\nCOMMIT\n']],
      );
      assert.equal(read?.isCut, false);
      assert.equal((await tarFiles(readFileSync(file).subarray(0, 1500)))?.isCut, true);
    });
  }

  it('are told from other bytes', async () => {
    assert.equal(await tarFiles(Buffer.from('*nat\nCOMMIT\n')), undefined);
  });

  it('come back as they were packed', async () => {
    const packed = await packFiles([{ name: `n1/${long}`, text: 'ä\n' }], new Date(0));
    const read = await tarFiles(gunzipSync(packed));
    assert.deepEqual(
      read?.files.map((one) => [one.name, one.content.toString()]),
      [[`n1/${long}`, 'ä\n']],
    );
  });
});
