import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../support/compileCase.ts';

/** What knows versions as numbers: their parser, the fold, the tables. */
const versionModules =
  /dialect\/(?:\w+\/)?(?:version|foldRows|dialectOf|newestVersion|knownVersions|versionRows|\w+Table)\.ts/;
const versionWords = /\b(?:kubeVersion|KubeVersion|minor)\b/;

/** A version is a row of values. Whoever writes rules reads those, so that a new version needs no code. */
describe('who writes rules of Services reads values of dialects, never versions', () => {
  for (const room of ['emit/iptables', 'emit/ipvs', 'emit/nftables', 'plan']) {
    it(`src/${room}`, () => {
      const folder = join(root, 'src', room);
      const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
      assert.ok(files.length > 3);
      for (const file of files) {
        const text = readFileSync(join(folder, file), 'utf8');
        assert.doesNotMatch(text, versionModules, `${file} imports what knows versions`);
        assert.doesNotMatch(text, versionWords, `${file} speaks of versions`);
      }
    });
  }
});
