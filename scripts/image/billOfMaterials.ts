import { createHash } from 'node:crypto';
import type { BundledPackage } from './bundledPackages.ts';
import type { DebianPackage } from './downloadPackages.ts';

/** What an image was made of. */
export interface Parts {
  readonly version: string;
  readonly license: string;
  /** Seconds since 1970. */
  readonly created: number;
  readonly architecture: string;
  /** Of the Debian release, as in `12`. */
  readonly release: string;
  readonly executableSha256: string;
  /** The version of Bun. */
  readonly engine: string;
  readonly debian: readonly DebianPackage[];
  readonly npm: readonly BundledPackage[];
}

/**
 * The bill of materials of an image as CycloneDX 1.6: the executable, what is bundled into it, and the Debian packages that
 * files come from, each with its package URL, and who needs whom. The same parts give the same text.
 */
export function billOfMaterials(parts: Parts): string {
  const bun = `pkg:npm/bun@${parts.engine}`;
  const own = `pkg:npm/k8snet@${parts.version}`;
  const image = `pkg:oci/k8snet?arch=${parts.architecture}&tag=${parts.version}`;
  const debian = new Map(parts.debian.map((one) => [one.name, debianUrl(one, parts.release)]));
  const npm = new Map(parts.npm.map(({ name, version }) => [name, npmUrl(name, version)]));
  const named = (urls: ReadonlyMap<string, string>, names: readonly string[]) =>
    names.flatMap((name) => urls.get(name) ?? []);
  const components = [
    {
      type: 'application',
      ...identity(own, 'k8snet', parts.version),
      licenses: [{ license: { id: parts.license } }],
      hashes: [{ alg: 'SHA-256', content: parts.executableSha256 }],
    },
    { type: 'platform', ...identity(bun, 'bun', parts.engine), licenses: [{ license: { id: 'MIT' } }] },
    ...parts.npm.map(({ name, version, license }) => ({
      type: 'library',
      ...identity(npm.get(name) ?? '', name, version),
      licenses: [/ (?:OR|AND|WITH) /.test(license) ? { expression: license } : { license: { id: license } }],
    })),
    ...parts.debian.map(({ name, version, sha256 }) => ({
      type: 'library',
      ...identity(debian.get(name) ?? '', name, version),
      hashes: [{ alg: 'SHA-256', content: sha256 }],
    })),
  ];
  const dependencies = [
    { ref: image, dependsOn: [own, ...debian.values()] },
    { ref: own, dependsOn: [bun, ...npm.values()] },
    { ref: bun, dependsOn: named(debian, ['libc6']) },
    ...parts.npm.map((one) => ({ ref: npm.get(one.name), dependsOn: named(npm, one.dependencies) })),
    ...parts.debian.map((one) => ({
      ref: debian.get(one.name),
      dependsOn: [...new Set(named(debian, one.dependencies))],
    })),
  ];
  const content = {
    metadata: {
      timestamp: new Date(parts.created * 1000).toISOString(),
      component: { type: 'container', ...identity(image, 'k8snet', parts.version) },
    },
    components,
    dependencies,
  };
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify(content))}`,
    version: 1,
    ...content,
  };
  return `${JSON.stringify(bill, null, 2)}\n`;
}

function identity(url: string, name: string, version: string) {
  return { 'bom-ref': url, name, version, purl: url };
}

function npmUrl(name: string, version: string): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

function debianUrl({ name, version, architecture, source }: DebianPackage, release: string): string {
  const upstream = source === undefined ? '' : `&upstream=${source}`;
  return `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${architecture}&distro=debian-${release}${upstream}`;
}

/** Follows from the content, in the form of a name-based one. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
