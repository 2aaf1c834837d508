import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { runCli } from '../support/runCli.ts';
import { fakeCluster } from './fakeCluster.ts';

/** Objects change while a snapshot is taken: nobody who reads it later blames a node for that. */
const { folder, environment, rules, keepsChanging, begin, close } = fakeCluster();
const archive = join(folder, 'cluster.tar.gz');
after(close);
before(() => rules('behind', 99, 'behind'));
beforeEach(begin);

const run = (...words: readonly string[]) => runCli(words, { environment });

function collect(...more: readonly string[]): void {
  const { status, stderr } = run('collect', '--live', '--via', 'ssh', '-o', archive, ...more);
  assert.equal(status, 0, stderr);
}

for (const more of [[], ['--redact']]) {
  test(`a Service that changed meanwhile is not judged ${more.join(' ')}`, () => {
    keepsChanging();
    collect(...more);
    const node = readNode();
    const { status, stdout, stderr } = run('diff', '-f', archive, '--node', node, `${archive}:${node}`, '-o', 'json');
    assert.equal(status, 0, stdout + stderr);
    assert.match(stdout, /changed while the node was read, and not judged/);
    const packets = run('diff', '--compare', 'behaviour', '-f', archive, '--node', node, `${archive}:${node}`);
    assert.equal(packets.status, 0, packets.stdout + packets.stderr);
    assert.match(packets.stderr, /services-changing/);
    const all = run('diff', '-f', archive, archive, '-o', 'json');
    assert.equal(all.status, 0, all.stdout + all.stderr);
  });

  test(`one that did not change is ${more.join(' ')}`, () => {
    collect(...more);
    const node = readNode();
    const { status, stdout, stderr } = run('diff', '-f', archive, '--node', node, `${archive}:${node}`);
    assert.equal(status, 1, stdout + stderr);
    const packets = run('diff', '--compare', 'behaviour', '-f', archive, '--node', node, `${archive}:${node}`);
    assert.equal(packets.status, 1, packets.stdout + packets.stderr);
  });
}

test('check-service says that it cannot judge', () => {
  keepsChanging();
  collect();
  const { status, stdout } = run('check-service', 'shop/web', '-f', archive);
  assert.notEqual(status, 1, stdout);
  assert.match(stdout, /changed while this was read/);
  begin();
  collect();
  const quietly = run('check-service', 'shop/web', '-f', archive);
  assert.equal(quietly.status, 1, quietly.stdout);
});

/** The first node in the archive: redaction gives it another name. */
function readNode(): string {
  const { stdout } = run('diff', '-f', archive, archive, '-o', 'json');
  const [line = ''] = stdout.split('\n');
  return (JSON.parse(line) as { readonly node: string }).node;
}
