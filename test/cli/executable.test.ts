import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../support/compileCase.ts';
import { cliCommand, executable, runProcess } from '../support/runCli.ts';

const [program = ''] = cliCommand;
const isRoot = process.getuid?.() === 0;
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string };
const skip =
  executable === undefined &&
  'no executable: npm run build:executables -- FOLDER linux-amd64, then K8SNET_EXECUTABLE=FOLDER/linux-amd64/k8snet npm test -- cli/';

/** What is particular to a single executable; all other tests of the command line run against it too. */
describe('a single executable', { skip }, () => {
  const inFolder = (test: (folder: string) => void) => {
    const folder = mkdtempSync(join(tmpdir(), 'k8snet-executable-'));
    try {
      test(folder);
    } finally {
      spawnSync('umount', [join(folder, 'proc')]);
      rmSync(folder, { recursive: true, force: true });
    }
  };

  it('tells the version of the package', () => {
    assert.equal(runProcess(['--version']).stdout, `${version}\n`);
  });

  it('asks for no newer libc than that of 2012', () => {
    const symbols = spawnSync('objdump', ['-T', program], { encoding: 'utf8', maxBuffer: 2 ** 28 });
    assert.equal(symbols.status, 0, 'objdump is in binutils');
    const minors = [...symbols.stdout.matchAll(/GLIBC_2\.(\d+)/g)].map(([, minor]) => Number(minor));
    assert.ok(Math.max(...minors) <= 17, `GLIBC_2.${Math.max(...minors)}`);
  });

  it('carries page, completion and lab inside, and writes nothing by itself', () => {
    inFolder((folder) => {
      const manifests = join(root, 'fixtures/services/clusterip-single/manifests.yaml');
      const home = { HOME: join(folder, 'home'), TMPDIR: join(folder, 'tmp') };
      const options = { cwd: folder, environment: home };
      for (const path of Object.values(home)) mkdirSync(path);
      const page = runProcess(['page', '-f', manifests, '-o', 'page.html'], options);
      assert.equal(page.status, 0, page.stderr);
      assert.match(readFileSync(join(folder, 'page.html'), 'utf8'), /<!doctype html>/i);
      const completion = runProcess(['__complete', 'compile', '--mode', ''], options);
      assert.match(completion.stdout, /^nftables\b/m);
      assert.deepEqual(readdirSync(folder).sort(), ['home', 'page.html', 'tmp']);
      for (const path of Object.values(home)) assert.deepEqual(readdirSync(path), []);
    });
  });

  it('heeds no settings of its engine in the folder where it runs', () => {
    inFolder((folder) => {
      writeFileSync(join(folder, '.env'), 'FORCE_COLOR=1\n');
      writeFileSync(join(folder, 'bunfig.toml'), 'preload = ["./evil.js"]\n');
      writeFileSync(join(folder, 'evil.js'), 'console.log("run")\n');
      const { status, stdout } = runProcess(['cidr', '10.0.0.0/8'], { cwd: folder });
      assert.equal(status, 0);
      assert.doesNotMatch(stdout, /^run$|\u001b/m);
    });
  });

  it('runs where nothing is but its libraries', { skip: !isRoot && 'chroot needs root' }, () => {
    inFolder((folder) => {
      for (const library of librariesOf(program)) copyInto(folder, library);
      copyFileSync(program, join(folder, 'k8snet'));
      const manifests = 'fixtures/services/clusterip-single/manifests.yaml';
      copyFileSync(join(root, manifests), join(folder, 'service.yaml'));
      mkdirSync(join(folder, 'proc'));
      spawnSync('mount', ['--bind', '/proc', join(folder, 'proc')]);
      const words = ['compile', '-q', '-f', 'service.yaml', '--node', 'node-1'];
      const inside = spawnSync('chroot', [folder, '/k8snet', ...words], { encoding: 'utf8' });
      assert.equal(inside.status, 0, inside.stderr);
      assert.equal(inside.stdout, runProcess([...words.slice(0, 3), manifests, ...words.slice(4)]).stdout);
    });
  });
});

function librariesOf(file: string): readonly string[] {
  const { stdout } = spawnSync('ldd', [file], { encoding: 'utf8' });
  return [...stdout.matchAll(/(\/\S+) \(0x/g)].map(([, path]) => path as string);
}

function copyInto(folder: string, path: string): void {
  mkdirSync(join(folder, dirname(path)), { recursive: true });
  copyFileSync(path, join(folder, path));
}
