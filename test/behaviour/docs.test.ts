import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { root } from '../support/compileCase.ts';
import { runCli } from '../support/runCli.ts';

/** What the examples of each page read. */
const pages: readonly (readonly [page: string, files: Readonly<Record<string, string>>])[] = [
  [
    'docs/import.md',
    {
      'node1.save': 'nodeport-basic/iptables/iptables.v4.save',
      'sticky.save': 'affinity-clientip/iptables/iptables.v4.save',
    },
  ],
  [
    'docs/behaviour.md',
    { 'a.save': 'affinity-clientip/iptables/iptables.v4.save', 'b.nft': 'affinity-clientip/nftables/nft.v4.save' },
  ],
];

for (const [page, files] of pages) {
  it(`every example of ${page} is true`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'k8snet-docs-'));
    try {
      for (const [name, path] of Object.entries(files)) {
        copyFileSync(join(root, 'golden/recorded/services', path), join(folder, name));
      }
      let examples = 0;
      for (const [, line = '', shown = ''] of readFileSync(join(root, page), 'utf8').matchAll(
        /```console\n\$ k8snet (.*)\n([\s\S]*?)```/g,
      )) {
        const { stdout, stderr } = runCli(line.split(' '), { cwd: folder });
        assertShown(`${line.includes('--check') ? stderr + stdout : stdout + stderr}`, shown, line);
        examples += 1;
      }
      assert.ok(examples > 1);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}

/** A line of its own with … stands for any lines. */
function assertShown(text: string, shown: string, what: string): void {
  const parts = shown.split(/^…\n/m);
  let at = 0;
  for (const [index, part] of parts.entries()) {
    const found = text.indexOf(part, at);
    const isPlaced = index === 0 ? found === 0 : found >= 0;
    assert.ok(isPlaced, `${what} does not print\n${part}\nbut\n${text.slice(at, at + 3000)}`);
    at = found + part.length;
  }
  if (!shown.endsWith('…\n')) assert.equal(text.slice(at), '', what);
}
