import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../support/compileCase.ts';
import { runCli } from '../support/runCli.ts';

/** `nft list chain` and `nft list map` print one of a table as if that were the table: nothing else is missing. */
describe('one chain or map of a healthy table', () => {
  for (const scenario of ['nodeport-etp-local', 'lb-source-ranges', 'affinity-lb-nodeport', 'noendpoints-all-types']) {
    const text = readFileSync(join(root, 'golden/recorded/services', scenario, 'nftables/nft.v4.save'), 'utf8');
    const blocks = text.match(/^\t(?:chain|map|set) \S+ \{\n(?:\t\t.*\n)*?\t\}\n/gm) ?? [];
    const alarmsOf = (pieces: readonly string[]) => {
      const input = pieces.map((piece) => `table ip kube-proxy {\n${piece}}\n`).join('');
      const { status, stdout, stderr } = runCli(['doctor', '-', '-o', 'json'], { input });
      assert.ok(status === 0 || status === 1, stderr);
      const { findings } = JSON.parse(stdout) as { findings: { id: string; severity: string; seen: string }[] };
      return findings;
    };

    it(`${scenario}: none is an alarm`, () => {
      assert.ok(blocks.length > 10, `${blocks.length} blocks`);
      for (const block of blocks) {
        const loud = alarmsOf([block]).filter(({ severity }) => severity !== 'info');
        assert.deepEqual(loud, [], block);
      }
    });

    it(`${scenario}: that it is a piece is said`, () => {
      const services = blocks.filter((block) => /^\tchain services /.test(block));
      const [piece] = alarmsOf(services);
      assert.equal(piece?.id, 'K8N110');
      assert.match(piece.seen, /is cut: rules lead to \d+ chains and maps that it does not have, \S+ the first/);
    });

    it(`${scenario}: all of them together are whole`, () => {
      assert.ok(!alarmsOf(blocks).some(({ id }) => id === 'K8N110'));
    });
  }
});
