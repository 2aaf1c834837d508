import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { root } from '../support/compileCase.ts';
import { cliCommand, runCli } from '../support/runCli.ts';
import { inBrowser, openUrl, settled } from './browser.ts';

const folder = mkdtempSync(join(tmpdir(), 'k8snet-page-serve-'));
const programs: ChildProcess[] = [];
after(() => {
  // A test that failed has not ended its own.
  for (const program of programs) program.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

describe('page --serve', () => {
  inBrowser('follows the files', async () => {
    const file = join(folder, 'shop.yaml');
    copyFileSync(join(root, 'fixtures/readme/shop.yaml'), file);
    const { url, end } = await served('-f', file, '--node', 'n1');
    const { page, assertQuiet } = await openUrl(url);
    await settled(page);
    await page.getByLabel('Mode', { exact: true }).selectOption('nftables');
    await page.getByText('elements = { 10.96.0.10 }').waitFor();
    writeFileSync(file, readFileSync(file, 'utf8').replace('10.96.0.10', '10.96.0.77'));
    await page.getByText('elements = { 10.96.0.77 }').waitFor();
    assert.equal(await page.getByLabel('Mode', { exact: true }).inputValue(), 'nftables');
    assertQuiet(`${url}events`);
    await page.context().close();
    await end();
  });

  it('answers nobody who does not know its address, and no other name', async () => {
    const { url, end } = await served('-f', 'fixtures/readme/shop.yaml');
    const { origin, pathname, host } = new URL(url);
    assert.equal(new URL(url).hostname, '127.0.0.1');
    assert.equal((await fetch(url)).status, 200);
    assert.equal((await fetch(`${origin}/`)).status, 404);
    assert.equal((await fetch(`${origin}/x${pathname.slice(2)}`)).status, 404);
    assert.equal((await fetch(url, { method: 'POST' })).status, 404);
    const { request } = await import('node:http');
    const [, port] = host.split(':');
    const asked = request({ host: '127.0.0.1', port, path: pathname, headers: { host: 'evil.example' } });
    asked.end();
    const [response] = (await once(asked, 'response')) as [{ statusCode: number; resume: () => void }];
    assert.equal(response.statusCode, 404);
    response.resume();
    await end();
  });

  it('refuses what it cannot follow', () => {
    const { status, stderr } = runCli(['page', '-f', '-', '--serve'], { input: 'kind: x' });
    assert.equal(status, 2);
    assert.match(stderr, /cannot follow standard input/);
  });
});

async function served(...args: readonly string[]): Promise<{ url: string; end: () => Promise<void> }> {
  const [node = '', ...words] = cliCommand;
  const program = spawn(node, [...words, 'page', ...args, '--serve'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  programs.push(program);
  const [line] = (await once(program.stdout, 'data')) as [Buffer];
  return {
    url: line.toString().trim(),
    end: async () => {
      program.kill('SIGINT');
      const [status] = await once(program, 'exit');
      assert.equal(status, 0);
    },
  };
}
