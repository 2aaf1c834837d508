import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { root } from '../support/compileCase.ts';
import { runCli } from '../support/runCli.ts';

/** A Service that nobody knows was "0 Services: 0 same", which looks as if all were well. */
const manifests = join(root, 'fixtures/services/clusterip-single/manifests.yaml');
const flags = ['--node', 'node-1', '--no-allocate', '-q'];
const folder = mkdtempSync(join(tmpdir(), 'k8snet-service-'));
const dumps = { iptables: join(folder, 'node.save'), nftables: join(folder, 'node.nft') };
after(() => rmSync(folder, { recursive: true, force: true }));

before(() => {
  for (const [mode, file] of Object.entries(dumps)) {
    writeFileSync(file, runCli(['compile', '-f', manifests, ...flags, '--mode', mode]).stdout);
  }
});

function diff(service: string, mode: keyof typeof dumps, ...others: readonly string[]) {
  const args = others.length > 0 ? others : ['-f', manifests, ...flags, '--mode', mode];
  return runCli(['diff', dumps[mode], '--service', service, ...args]);
}

for (const mode of ['iptables', 'nftables'] as const) {
  test(`${mode}: a Service that is known`, () => {
    assert.equal(diff('default/web', mode).status, 0, diff('default/web', mode).stderr);
    assert.equal(diff('default/web', mode, dumps[mode]).status, 0);
  });

  for (const [asked, meant] of [
    ['default/wbe', 'default/web'],
    ['shop/web', 'default/web'],
    ['entirely-different/thing-of-another-length', 'default/web'],
  ] as const) {
    test(`${mode}: ${asked} is exit code 2`, () => {
      for (const others of [[], [dumps[mode]]]) {
        const { status, stdout, stderr } = diff(asked, mode, ...others);
        assert.equal(status, 2);
        assert.equal(stdout, '');
        assert.match(stderr, new RegExp(`Service "${asked}" not found[\\s\\S]*did you mean ${meant}\\?`));
      }
    });
  }
}

test('a Service that only the dump has is known, in a fragment too', () => {
  const fragment = join(folder, 'fragment');
  writeFileSync(
    fragment,
    '-A KUBE-SEP-AAAAAAAAAAAAAAAA -s 10.0.0.1/32 -m comment --comment "gone/old:http" -j KUBE-MARK-MASQ\n',
  );
  const { status, stderr } = runCli(['diff', '-f', manifests, ...flags, '--service', 'gone/old', fragment]);
  assert.notEqual(status, 2, stderr);
});
