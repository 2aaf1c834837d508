import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../support/compileCase.ts';
import { runCli } from '../support/runCli.ts';

const most = 12;

describe('manifests as projects publish them', () => {
  for (const name of readdirSync(join(root, 'fixtures/published'))) {
    const manifests = ['-f', `fixtures/published/${name}`];

    it(`${name}: compiled with a few remarks`, () => {
      const { status, stdout, stderr } = runCli(['compile', ...manifests]);
      assert.equal(status, 0);
      assert.match(stdout, /^\*nat$/m);
      assert.ok(stderr.trimEnd().split('\n').length <= most, stderr);
    });

    it(`${name}: equal to a node whose cluster assigned other addresses and has Pods`, () => {
      const folder = mkdtempSync(join(tmpdir(), 'k8snet-published-'));
      try {
        const cluster = ['--service-cidr', '172.20.0.0/16', '--assume-pods', '--cluster-cidr', '10.244.0.0/16'];
        const dump = join(folder, 'node.save');
        writeFileSync(dump, runCli(['compile', ...manifests, ...cluster]).stdout);
        const { status, stdout } = runCli(['diff', ...manifests, dump]);
        assert.equal(status, 0, stdout);
        assert.match(stdout, /^(\d+) Services?: \1 same$/m);
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  }
});
