import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../support/compileCase.ts';
import { runCli } from '../support/runCli.ts';

/** A firewall that drops one port keeps nobody from a Service whose client hardly has that port. */
test('a rule for another port does not break the answers', () => {
  const kind = join(root, 'fixtures/healthy/kind');
  const folder = mkdtempSync(join(tmpdir(), 'k8snet-port-'));
  try {
    const node = join(folder, 'n1');
    cpSync(join(kind, 'node'), node, { recursive: true });
    const file = join(node, 'dumps/iptables.nft.v4.save');
    const rule = '[0:0] -A FORWARD -p tcp -m tcp --dport 9999 -m comment --comment hardening -j DROP\n';
    const text = readFileSync(file, 'utf8');
    const at = text.search(/^(?:\[\d+:\d+\] )?-A FORWARD /m);
    assert.notEqual(at, -1);
    writeFileSync(file, text.slice(0, at) + rule + text.slice(at));
    const words = ['check-service', 'shop/web', '-f', join(kind, 'manifests.yaml'), node];
    const { stdout, status } = runCli([...words, '--mode', 'iptables', '--kube-version', '1.32']);
    assert.doesNotMatch(stdout, /does not arrive/);
    assert.equal(status, 0, stdout);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
