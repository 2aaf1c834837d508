import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after } from 'node:test';
import { root } from './compileCase.ts';
import type { Ended, RunOptions } from './runCli.ts';

/**
 * The bundle that is published, built for one test file and removed after it: many runs of the command line start five
 * times as fast as from the sources.
 */
export function bundledCli(): (args: readonly string[], options?: RunOptions) => Ended {
  const dist = mkdtempSync(join(root, 'dist-test-'));
  const { status, stderr } = spawnSync(process.execPath, ['--import', 'tsx', 'scripts/build.ts', dist], {
    cwd: root,
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  after(() => rmSync(dist, { recursive: true, force: true }));
  const { FORCE_COLOR: _, NO_COLOR: __, GITHUB_ACTIONS: ___, ...inherited } = process.env;
  return (args, { input = '', cwd = root, environment } = {}) => {
    const ended = spawnSync(process.execPath, [join(dist, 'main.js'), ...args], {
      cwd,
      encoding: 'utf8',
      maxBuffer: 2 ** 30,
      env: { ...inherited, ...environment },
      input,
    });
    return { status: ended.status, stdout: ended.stdout, stderr: ended.stderr };
  };
}
