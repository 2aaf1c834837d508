import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { compileCase, root } from '../../support/compileCase.ts';

const golden = join(root, 'golden/recorded/iptables-131plus');

/** Every case against what kube-proxy 1.31 to 1.36 wrote, on kernels with nfacct and without. */
describe('iptables mode from 1.31 on', () => {
  for (const name of readdirSync(golden)) {
    for (const range of readdirSync(join(golden, name))) {
      for (const version of versionsOf(range)) {
        it(`${name} ${version}${isCounting(range) ? ' with nfacct' : ''}`, async () => {
          const args = ['--mode', 'iptables', '--kube-version', version, ...(isCounting(range) ? ['--nfacct'] : [])];
          const result = await compileCase(inputsOf(name), ...args);
          for (const file of readdirSync(join(golden, name, range))) {
            assert.equal(result.text(file), readFileSync(join(golden, name, range, file), 'utf8'), file);
          }
        });
      }
    }
  }
});

/** A folder holds what several versions wrote alike: `1.31-1.33`, or `1.31-1.33-nfacct`. */
function versionsOf(range: string): readonly string[] {
  const [first, last] = range.split('-').map((version) => Number(version.split('.')[1]));
  assert.ok(first && last && last >= first, range);
  return Array.from({ length: last - first + 1 }, (_, at) => `1.${first + at}`);
}

function isCounting(range: string): boolean {
  return range.endsWith('-nfacct');
}

function inputsOf(name: string): string {
  const folders = ['dialects', 'services', 'nft-dialects'].map((folder) => `${folder}/${name}`);
  return folders.find((folder) => existsSync(join(root, 'fixtures', folder))) as string;
}
