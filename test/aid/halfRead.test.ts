import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../support/compileCase.ts';
import { runCli } from '../support/runCli.ts';

/** A node whose rules were read in part is not called in order. */
test('where iptables-save failed, the rules were not compared', () => {
  const kind = join(root, 'fixtures/healthy/kind');
  const folder = mkdtempSync(join(tmpdir(), 'k8snet-half-'));
  try {
    const dumps = join(folder, 'n1/dumps');
    mkdirSync(dumps, { recursive: true });
    for (const file of ['nft.txt', 'addresses.txt', 'routes.v4.txt'])
      cpSync(join(kind, 'node/dumps', file), join(dumps, file));
    const words = ['check-service', 'shop/web', '-f', join(kind, 'manifests.yaml'), join(folder, 'n1')];
    const { stdout, status } = runCli([...words, '--mode', 'iptables', '--kube-version', '1.32']);
    assert.equal(status, 3);
    assert.doesNotMatch(stdout, /as they should be/);
    assert.match(stdout, /not looked at:\n(?:.*\n)*? {2}whether node n1 has the rules that it should have\n/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('each node of an archive is a node of its own', () => {
  const kind = join(root, 'fixtures/healthy/kind');
  const folder = mkdtempSync(join(tmpdir(), 'k8snet-archive-'));
  try {
    for (const node of ['n1', 'n2']) {
      mkdirSync(join(folder, node, 'dumps'), { recursive: true });
      cpSync(join(kind, 'node/dumps'), join(folder, node, 'dumps'), { recursive: true });
    }
    const archive = join(folder, 'cluster.tar.gz');
    execFileSync('tar', ['-czf', archive, '-C', folder, 'n1', 'n2']);
    const ask = (...dumps: readonly string[]) =>
      runCli(['check-service', 'shop/web', '-f', join(kind, 'manifests.yaml'), ...dumps, '-o', 'json']);
    const whole = JSON.parse(ask(archive).stdout);
    assert.deepEqual(
      whole.looked.map(({ what }: { readonly what: string }) => what),
      ['objects', 'node n1', 'node n2'],
    );
    assert.deepEqual(JSON.parse(ask(`${archive}:n1`, `${archive}:n2`).stdout), whole);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
