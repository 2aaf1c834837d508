import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { root } from '../support/compileCase.ts';

// The types as those see them who install the package: from the packed file, with the settings that TypeScript has by
// itself (libraries are checked too), by the oldest version that knows `exports` and by the newest.
const skip = existsSync(join(root, 'dist/k8snet.d.ts')) ? false : 'dist/ is not built';
const folder = mkdtempSync(join(tmpdir(), 'k8snet-types-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const compilers = { 'TypeScript 4.7': join(folder, 'old'), 'the newest TypeScript': root };
const settings = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2022,dom', '--allowJs', '--checkJs'];
const resolutions = { Node: ['nodenext', 'nodenext'], 'a bundler': ['esnext', 'bundler'] };

const misuse = `
import { compile, type Compiled, load, type NodeRules, readCluster, type Result } from 'k8snet';
const { value, diagnostics } = await load(['shop/'], { recursive: true });
const result: Result<Compiled | undefined> = await compile(value.objects, { mode: 'nftables', kubeVersion: '1.34' });
// @ts-expect-error: an option that there is not
await compile(value.objects, { mod: 'nftables' });
// @ts-expect-error: a value may be missing
result.value.model;
export const node: NodeRules | undefined = undefined;
export const codes = [...diagnostics, ...(await readCluster({ context: 'prod' })).diagnostics].map(({ code }) => code);
`;

describe('types of the packed package', { skip }, () => {
  let tarball = '';
  let hasOld = false;

  before(() => {
    // Beside the newest it would take the name `tsc` away: it is fetched for this test alone.
    const words = ['install', '--prefix', join(folder, 'old'), '--no-audit', '--no-fund', '--prefer-offline'];
    hasOld = spawnSync('npm', [...words, 'typescript@4.7.4'], { stdio: 'ignore' }).status === 0;
    const pack = ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', folder];
    execFileSync('npm', pack, { cwd: root, stdio: 'ignore' });
    tarball = join(folder, readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '');
    const installed = join(folder, 'node_modules/k8snet');
    mkdirSync(installed, { recursive: true });
    execFileSync('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1']);
    const page = readFileSync(join(root, 'docs/api.md'), 'utf8');
    const examples = [...page.matchAll(/^```js\n([\s\S]*?)^```$/gm)];
    for (const [index, [, code = '']] of examples.entries()) writeFileSync(join(folder, `example${index}.mjs`), code);
    writeFileSync(join(folder, 'misuse.mts'), misuse);
  });

  for (const [name, compiler] of Object.entries(compilers)) {
    for (const [reader, [module = '', resolution = '']] of Object.entries(resolutions)) {
      // Bundlers' way of resolving came with 5.0.
      if (name === 'TypeScript 4.7' && resolution === 'bundler') continue;
      it(`are right for ${name}, resolved as by ${reader}, and so are all examples of the documentation`, (test) => {
        const isMissing = compiler !== root && !hasOld;
        if (isMissing && process.env.K8SNET_REQUIRE_KERNEL === undefined)
          return test.skip('npm cannot fetch typescript@4.7.4');
        const files = readdirSync(folder).filter((file) => /\.m[jt]s$/.test(file));
        assert.ok(files.length > 5);
        const options = [...settings, '--module', module, '--moduleResolution', resolution];
        const tsc = join(compiler, 'node_modules/typescript/bin/tsc');
        const { stdout, status } = spawnSync(process.execPath, [tsc, ...options, ...files], { cwd: folder });
        assert.equal(`${stdout}`, '');
        assert.equal(status, 0);
      });
    }
  }

  it('are found however the package is resolved', () => {
    const attw = join(root, 'node_modules/@arethetypeswrong/cli/dist/index.js');
    const words = [attw, tarball, '--profile', 'esm-only', '--format', 'json'];
    const { stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8', maxBuffer: 2 ** 26 });
    assert.equal(stderr, '');
    const { analysis } = JSON.parse(stdout) as {
      readonly analysis: { readonly problems: readonly { readonly kind: string; readonly resolutionKind: string }[] };
    };
    const problems = analysis.problems.filter(({ resolutionKind }) => !/^node10$|cjs/.test(resolutionKind));
    assert.deepEqual(problems, []);
  });
});
