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

/** An axis that nobody reads says something of a version that makes no difference. */
describe('every axis of a dialect is read by what stands behind it', () => {
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.startsWith('dialect/'))
    .map((name) => readFileSync(join(root, 'src', name), 'utf8'))
    .join('\n');
  for (const type of ['plan/planDialect', 'iptables/iptablesDialect', 'ipvs/ipvsDialect', 'nftables/nftablesDialect']) {
    it(type, () => {
      const text = readFileSync(join(root, 'src/dialect', `${type}.ts`), 'utf8');
      const axes = [...text.matchAll(/^ {2}readonly (\w+):/gm)].map(([, name = '']) => name);
      assert.ok(axes.length > 5);
      const unread = axes.filter((name) => !new RegExp(`\\b${name}\\b`).test(sources));
      assert.deepEqual(unread, []);
    });
  }
});
