import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { changelogSection } from '../../scripts/release/changelog.ts';
import { releaseDate, releaseVersion } from '../../scripts/release/releaseDate.ts';
import { root } from '../support/compileCase.ts';

interface Packed {
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

/** Beyond that somebody has put something into the package that few need, or twice. */
const mostPacked = 3_300_000;
const mostUnpacked = 9_700_000;

describe('the package', () => {
  const skip = existsSync(join(root, 'dist/main.cjs')) ? false : 'dist/ is not built';

  it('is no larger than known, and holds what it needs', { skip }, () => {
    const { status, stdout, stderr } = spawnSync('npm', ['pack', '--dry-run', '--ignore-scripts', '--json'], {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
    });
    assert.equal(status, 0, stderr);
    const [packed] = JSON.parse(stdout) as readonly Packed[];
    assert.ok(packed !== undefined);
    assert.ok(packed.size <= mostPacked, `${packed.size} bytes packed`);
    assert.ok(packed.unpackedSize <= mostUnpacked, `${packed.unpackedSize} bytes unpacked`);
    const paths = packed.files.map(({ path }) => path);
    for (const path of [
      'bin/k8snet.cjs',
      'dist/main.cjs',
      'dist/program/run.cjs',
      'dist/program/rest.cjs',
      'dist/page.html.br',
    ])
      assert.ok(paths.includes(path), path);
    for (const path of ['LICENSE', 'README.md', 'CHANGELOG.md', 'dist/THIRD-PARTY-LICENSES.txt', 'dist/api/api.js'])
      assert.ok(paths.includes(path), path);
    // The engine's own code is for the machine that built it, and maps are for those who have the sources.
    assert.deepEqual(
      paths.filter((path) => /\.(?:code|map)$|^(?:src|test|golden|fixtures)\//.test(path)),
      [],
    );
    const { man, bin } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      readonly man: readonly string[];
      readonly bin: Readonly<Record<string, string>>;
    };
    for (const path of [...man, ...Object.values(bin)]) assert.ok(paths.includes(path.replace(/^\.\//, '')), path);
  });
});

describe('the changelog', () => {
  it('has a section of the version', () => {
    const section = changelogSection(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), releaseVersion);
    assert.ok(section !== undefined);
    assert.match(section.text, /^- /);
    assert.match(releaseDate(), /^\d{4}-\d\d-\d\d$/);
  });

  it('gives the section of a version alone, with its date', () => {
    const text =
      '# Changelog\n\n## 0.2.0 (unreleased)\n\n- new\n\n## 0.1.0 (2026-12-01)\n\n- first\n  line\n- second\n';
    assert.deepEqual(changelogSection(text, '0.2.0'), { date: undefined, text: '- new\n' });
    assert.deepEqual(changelogSection(text, '0.1.0'), { date: '2026-12-01', text: '- first\n  line\n- second\n' });
    assert.equal(changelogSection(text, '0.3.0'), undefined);
    assert.equal(changelogSection('## 0.3.0 (soon)\n', '0.3.0'), undefined);
  });
});
