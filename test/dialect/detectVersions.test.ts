import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { detectVersions } from '../../src/dialect/detectVersions.ts';
import { formatKubeVersion } from '../../src/dialect/version.ts';
import { parseDumps } from '../../src/netfilter/iptables/parse.ts';
import { root } from '../support/compileCase.ts';
import { recorded } from '../support/golden.ts';

function detect(text: string): readonly string[] {
  return detectVersions(parseDumps(text, {}, () => {})).versions.map(formatKubeVersion);
}

describe('versions are told from dumps', () => {
  const sizes: number[] = [];
  for (const name of readdirSync(join(root, 'fixtures/dialects'))) {
    it(name, () => {
      for (const version of readdirSync(join(root, 'golden/recorded/dialects', name))) {
        const save = recorded(`dialects/${name}/${version}/iptables.v4.save`);
        if (save === undefined) continue;
        const versions = detect(save);
        assert.ok(versions.includes(version), `${version} is not among ${versions.join(' ')}`);
        sizes.push(new Set(versions.map((one) => one.split('.')[1])).size);
      }
    });
  }
  it('leaves four minor versions at most, in the median', () => {
    sizes.sort((a, b) => a - b);
    assert.ok((sizes[sizes.length >> 1] as number) <= 4, `median ${sizes[sizes.length >> 1]} of ${sizes.length}`);
  });
  it('names 1.30 for every recorded scenario of it', () => {
    for (const name of readdirSync(join(root, 'golden/recorded/services'))) {
      for (const family of ['v4', 'v6']) {
        const save = recorded(`services/${name}/iptables/iptables.${family}.save`);
        if (save !== undefined)
          assert.ok(detect(save).includes('1.30'), `${name} ${family}: ${detect(save).join(' ')}`);
      }
    }
  });
});
