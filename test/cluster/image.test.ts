import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Ajv } from 'ajv';
import { root } from '../support/compileCase.ts';
import { type ImageConfig, imageArchive, imageBill, lacksImage, readImage } from './image.ts';

/** Our image and its bill of materials as files; agent.test.ts runs it. */
const lacks = lacksImage();
if (process.env.K8SNET_REQUIRE_CLUSTER === '1' && lacks !== undefined) throw new Error(lacks);
const skip = lacks ?? false;

const packageFile = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly version: string;
  readonly devDependencies: Readonly<Record<string, string>>;
};
const scratch = mkdtempSync(join(tmpdir(), 'k8snet-image-test-'));
const rootfs = join(scratch, 'rootfs');
let image: ImageConfig;

before(() => {
  if (skip) return;
  const { config, layer } = readImage(imageArchive());
  image = config;
  mkdirSync(rootfs);
  execFileSync('tar', ['--extract', '--gzip', '--directory', rootfs], { input: layer });
});

after(() => {
  spawnSync('umount', [join(rootfs, 'proc')], { stdio: 'ignore' });
  rmSync(scratch, { recursive: true, force: true });
});

test('it says what it is, and runs as nobody in particular', { skip }, () => {
  const { Labels: labels, User: user, Entrypoint: entry } = image.config;
  assert.equal(user, '65532:65532');
  assert.deepEqual(entry, ['/usr/bin/k8snet']);
  const name = 'org.opencontainers.image';
  assert.equal(labels[`${name}.title`], 'k8snet');
  assert.equal(labels[`${name}.version`], packageFile.version);
  assert.equal(labels[`${name}.licenses`], 'Apache-2.0');
  assert.match(labels[`${name}.revision`] ?? '', /^[0-9a-f]{40}$/);
  assert.equal(labels[`${name}.created`], image.created);
});

test('it holds what reads rules, and no shell', { skip }, () => {
  const programs = [...readdirSync(join(rootfs, 'usr/bin')), ...readdirSync(join(rootfs, 'usr/sbin'))];
  const readers = ['iptables-nft-save', 'iptables-legacy-save', 'ip6tables-nft-save', 'ip6tables-legacy-save', 'nft'];
  for (const program of [...readers, 'ipset', 'ipvsadm', 'conntrack', 'ip', 'bridge', 'sysctl', 'k8snet'])
    assert.ok(programs.includes(program), program);
  for (const program of ['sh', 'bash', 'dash', 'busybox', 'perl', 'apt', 'dpkg', 'iptables-nft-restore'])
    assert.ok(!programs.includes(program), program);
});

test('nobody but root may write to it, and no file raises rights', { skip }, () => {
  for (const path of allFiles(rootfs)) {
    const { mode, uid, gid } = lstatSync(path);
    if ((mode & 0o170000) !== 0o120000) assert.equal(mode & 0o6022, 0, path);
    assert.deepEqual([uid, gid], [0, 0], path);
  }
});

test('its programs run in it, with all their libraries', {
  skip: skip || (process.getuid?.() !== 0 && 'chroot needs root'),
}, () => {
  mkdirSync(join(rootfs, 'proc'), { recursive: true });
  execFileSync('mount', ['--bind', '/proc', join(rootfs, 'proc')]);
  const inside = (...words: readonly string[]) => spawnSync('chroot', [rootfs, ...words], { encoding: 'utf8' });
  for (const [program, option] of [
    ...['iptables-nft-save', 'iptables-legacy-save', 'ip6tables-nft-save', 'nft', 'ipset', 'conntrack', 'sysctl'].map(
      (name) => [name, '--version'],
    ),
    ['ip', '-Version'],
    ['bridge', '-Version'],
  ]) {
    const { status, stdout, stderr } = inside(program ?? '', option ?? '');
    assert.equal(status, 0, `${program}: ${stderr}`);
    assert.match(stdout + stderr, /\d\.\d/, program);
  }
  assert.equal(inside('k8snet', '--version').stdout, `${packageFile.version}\n`);
  // Rules read as they do on a node: matches are loaded, and protocols have names.
  const rules =
    'iptables-nft -t nat -N KUBE-X && iptables-nft -t nat -A KUBE-X -p tcp -m statistic --mode random --probability 0.5 -m comment --comment x -j DNAT --to-destination 10.0.0.1:80 && nft add table t && nft add chain t c && nft add rule t c meta l4proto sctp accept';
  const read = `${rules} && chroot ${rootfs} iptables-nft-save && chroot ${rootfs} nft list table t`;
  const { stdout } = spawnSync('unshare', ['--net', 'sh', '-ec', read], { encoding: 'utf8' });
  assert.match(
    stdout,
    /-A KUBE-X -p tcp -m statistic --mode random --probability 0\.5\d* -m comment --comment x -j DNAT/,
  );
  assert.match(stdout, /meta l4proto sctp accept/);
});

interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly hashes?: readonly { readonly content: string }[];
}

interface Bill {
  readonly metadata: { readonly timestamp: string; readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

const readBill = () => JSON.parse(readFileSync(imageBill(), 'utf8')) as Bill;

test('the bill of materials is CycloneDX', { skip }, () => {
  const schemas = join(root, 'node_modules/@cyclonedx/cyclonedx-library/res/schema');
  const read = (name: string) =>
    JSON.parse(readFileSync(join(schemas, `${name}.SNAPSHOT.schema.json`), 'utf8')) as object;
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
  for (const name of ['spdx', 'jsf-0.82'])
    ajv.addSchema(read(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
  const validate = ajv.compile(read('bom-1.6'));
  const bill = readBill();
  assert.ok(validate(bill), JSON.stringify(validate.errors));
  assert.ok(!validate({ ...bill, components: [{ type: 'library' }] }));
});

test('it names every package of which something is in the image, with its licence there', { skip }, () => {
  const { components } = readBill();
  const debian = components.filter(({ purl }) => purl.startsWith('pkg:deb/')).map(({ name }) => name);
  assert.deepEqual(readdirSync(join(rootfs, 'var/lib/dpkg/status.d')).sort(), [...debian].sort());
  for (const name of debian) assert.ok(existsSync(join(rootfs, 'usr/share/doc', name, 'copyright')), name);
  for (const name of ['iptables', 'nftables', 'ipset', 'ipvsadm', 'conntrack', 'iproute2', 'libc6', 'libxtables12'])
    assert.ok(debian.includes(name), name);
});

test('it names every npm package that the sources import, as it is installed', { skip }, () => {
  const { components } = readBill();
  const npm = new Map(
    components.filter(({ purl }) => purl.startsWith('pkg:npm/')).map((one) => [one.name, one.version]),
  );
  const imported = new Set(
    allFiles(join(root, 'src'))
      .filter((path) => /\.tsx?$/.test(path))
      .flatMap((path) => [
        ...readFileSync(path, 'utf8').matchAll(/^import (?!type ).*? from '((?:@[\w.-]+\/)?[a-z][\w.-]*)/gm),
      ])
      .map(([, name]) => name as string)
      .filter((name) => name in packageFile.devDependencies),
  );
  assert.ok(imported.size > 5);
  for (const name of imported) assert.equal(npm.get(name), packageFile.devDependencies[name], name);
  assert.equal(npm.get('k8snet'), packageFile.version);
  for (const tool of ['typescript', 'esbuild', 'tsx']) assert.ok(!npm.has(tool), tool);
});

test('it says who needs whom, of components that it has, and which executable it was', { skip }, () => {
  const { components, dependencies, metadata } = readBill();
  const references = new Set([metadata.component, ...components].map((one) => one['bom-ref']));
  assert.equal(references.size, components.length + 1);
  for (const { ref, dependsOn } of dependencies)
    for (const one of [ref, ...dependsOn]) assert.ok(references.has(one), one);
  const reached = new Set<string>();
  const reach = (ref: string) => {
    if (reached.has(ref)) return;
    reached.add(ref);
    for (const next of dependencies.find((one) => one.ref === ref)?.dependsOn ?? []) reach(next);
  };
  reach(metadata.component['bom-ref']);
  assert.equal(reached.size, references.size);
  const own = components.find(({ name }) => name === 'k8snet');
  const sum = sha256(join(rootfs, 'usr/bin/k8snet'));
  assert.deepEqual(
    own?.hashes?.map(({ content }) => content),
    [sum],
  );
  assert.equal(metadata.timestamp.replace('.000', ''), image.created);
});

test('the same parts give the same bytes', { skip }, () => {
  const again = join(scratch, 'again');
  const cache = join(process.env.K8SNET_CLUSTER ?? join(homedir(), '.cache/k8snet-cluster'), 'debian');
  const words = ['scripts/buildImage.ts', again, '--executable', join(rootfs, 'usr/bin/k8snet'), '--cache', cache];
  // The commit may be another one by now, and the time with it.
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(Date.parse(image.created) / 1000) };
  execFileSync(process.execPath, ['--import', 'tsx', ...words, '--revision', revision()], {
    cwd: root,
    env,
    stdio: 'pipe',
  });
  const [archive = '', bill = ''] = ['.tar', '.cdx.json'].map((ending) =>
    readdirSync(again).find((file) => file.endsWith(ending)),
  );
  assert.deepEqual([join(again, archive), join(again, bill)].map(sha256), [imageArchive(), imageBill()].map(sha256));
});

function sha256(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}

function revision(): string {
  return image.config.Labels['org.opencontainers.image.revision'] ?? '';
}

function allFiles(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (path === join(rootfs, 'proc')) return [];
    return entry.isDirectory() ? allFiles(path) : [path];
  });
}
