import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { runProcess } from '../support/runCli.ts';
import { fakeCluster } from './fakeCluster.ts';

/** Objects change while a snapshot is taken: nobody who reads it later blames a node for that. */
const { folder, environment, rules, forget, close } = fakeCluster();
const [list, archive] = [join(folder, 'services'), join(folder, 'cluster.tar.gz')];
const quiet = readFileSync(list, 'utf8');
const busy = quiet.replace(
  /"name":"web",("namespace":"shop"),"resourceVersion":"1"/,
  '"name":"web",$1,"resourceVersion":"BUSY"',
);
after(close);
beforeEach(forget);
before(() => {
  const web = readFileSync(join(folder, 'web.save'), 'utf8');
  writeFileSync(join(folder, 'behind.save'), web.replaceAll('10.244.1.1', '10.244.1.9'));
  rules('behind', 99, 'behind');
});

const run = (...words: readonly string[]) => runProcess(words, { environment });

function collect(services: string, ...more: readonly string[]): void {
  writeFileSync(list, services);
  const { status, stderr } = run('collect', '--live', '--via', 'ssh', '-o', archive, ...more);
  assert.equal(status, 0, stderr);
}

for (const more of [[], ['--redact']]) {
  test(`a Service that changed meanwhile is not judged ${more.join(' ')}`, () => {
    collect(busy, ...more);
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
    collect(quiet, ...more);
    const node = readNode();
    const { status, stdout, stderr } = run('diff', '-f', archive, '--node', node, `${archive}:${node}`);
    assert.equal(status, 1, stdout + stderr);
    const packets = run('diff', '--compare', 'behaviour', '-f', archive, '--node', node, `${archive}:${node}`);
    assert.equal(packets.status, 1, packets.stdout + packets.stderr);
  });
}

test('check-service says that it cannot judge', () => {
  collect(busy);
  const { status, stdout } = run('check-service', 'shop/web', '-f', archive);
  assert.notEqual(status, 1, stdout);
  assert.match(stdout, /changed while this was read/);
  collect(quiet);
  const quietly = run('check-service', 'shop/web', '-f', archive);
  assert.equal(quietly.status, 1, quietly.stdout);
});

/** The first node in the archive: redaction gives it another name. */
function readNode(): string {
  const { stdout } = run('diff', '-f', archive, archive, '-o', 'json');
  const [line = ''] = stdout.split('\n');
  return (JSON.parse(line) as { readonly node: string }).node;
}
