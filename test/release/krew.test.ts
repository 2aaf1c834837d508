import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { executableTargets } from '../../scripts/executableTargets.ts';
import { krewManifest } from '../../scripts/release/krewManifest.ts';
import { releaseVersion } from '../../scripts/release/releaseDate.ts';

interface Platform {
  readonly uri: string;
  readonly sha256: string;
  readonly bin: string;
  readonly selector: { readonly matchLabels: Readonly<Record<string, string>> };
}

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly version: string;
    readonly shortDescription: string;
    readonly description: string;
    readonly caveats: string;
    readonly platforms: readonly Platform[];
  };
}

const archives = executableTargets
  .filter(({ name }) => !name.endsWith('-musl'))
  .map(({ name, os, arch, file }) => ({
    os,
    arch,
    uri: `https://example.org/k8snet-${name}.tar.gz`,
    sha256: 'ab'.repeat(32),
    bin: file,
  }));
const manifest = parse(krewManifest(releaseVersion, archives)) as Manifest;

/** What krew's own validator asks for (validate-krew-manifest 0.4.3, run by hand on whole releases). */
describe('the manifest for krew', () => {
  it('is one that krew takes', () => {
    assert.equal(manifest.apiVersion, 'krew.googlecontainertools.github.com/v1alpha2');
    assert.equal(manifest.kind, 'Plugin');
    // The file is named after it.
    assert.equal(manifest.metadata.name, 'k8snet');
    assert.match(manifest.spec.version, /^v\d+\.\d+\.\d+(?:-[\w.]+)?$/);
    assert.match(manifest.spec.shortDescription, /^[A-Z].{0,48}[^.\n]$/);
    assert.ok(manifest.spec.description.split('\n').every((line) => line.length <= 80));
    assert.match(manifest.spec.caveats, /kubectl_complete-k8snet/);
  });

  it('has each system once, with its archive', () => {
    const seen = new Set<string>();
    for (const { uri, sha256, bin, selector } of manifest.spec.platforms) {
      const { os, arch, ...others } = selector.matchLabels;
      assert.deepEqual(others, {});
      assert.ok(!seen.has(`${os}/${arch}`), `${os}/${arch} twice`);
      seen.add(`${os}/${arch}`);
      assert.match(sha256, /^[a-f0-9]{64}$/);
      assert.match(uri, /^https:\/\//);
      assert.equal(bin, os === 'windows' ? 'k8snet.exe' : 'k8snet');
    }
    assert.deepEqual([...seen].sort(), ['darwin/amd64', 'darwin/arm64', 'linux/amd64', 'linux/arm64', 'windows/amd64']);
  });
});
