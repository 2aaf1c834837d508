import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { bundleApi } from '../../scripts/bundleApi.ts';
import { root } from '../support/compileCase.ts';
import { runCli } from '../support/runCli.ts';

const folder = mkdtempSync(join(tmpdir(), 'k8snet-browser-'));
after(() => rmSync(folder, { recursive: true }));

describe('the core in a browser', () => {
  it('compiles to the same bytes without any module of Node and without its Buffer', async () => {
    await bundleApi(folder);
    const file = join(root, 'fixtures/posts/004-nginx-service/manifests/nginx.apps-v1.yaml');
    const script = `
      delete globalThis.Buffer;
      process.getBuiltinModule = undefined;
      const { compile, load, loadTexts, orThrow, readNode, toFiles } = await import(${JSON.stringify(join(folder, 'browser/k8snet.js'))});
      const { objects } = await orThrow(loadTexts([{ name: 'm.yaml', text: ${JSON.stringify(readFileSync(file, 'utf8'))} }]));
      const compiled = await orThrow(compile(objects, { family: 'ipv4', node: 'n1' }));
      const { all } = await orThrow(toFiles(compiled));
      for (const refused of [await load(['m.yaml']), await readNode('n1')]) {
        if (!refused.diagnostics[0].message.endsWith('cannot be read in a browser')) console.error(refused);
      }
      console.log([...all.find(({ name }) => name === 'iptables.v4.save').text()].join('').length);
      console.log([...all.find(({ name }) => name === 'iptables.v4.save').text()].join(''));
    `;
    const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
    const cli = await runCli(['compile', '-f', file, '--node', 'n1', '--family', 'ipv4']);
    assert.equal(stderr, '');
    assert.equal(stdout, `${cli.stdout.length}\n${cli.stdout}\n`);
  });
});
