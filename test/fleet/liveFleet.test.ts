import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { fakeCluster } from '../live/fakeCluster.ts';
import { runCli } from '../support/runCli.ts';
import { schemaProblem } from './fleetRun.ts';

/** The nodes of a cluster are a fleet like their dumps. */
const { folder, environment, rules, asked, keepsChanging, begin, close } = fakeCluster();
after(close);
before(() => {
  const web = readFileSync(join(folder, 'web.save'), 'utf8');
  writeFileSync(join(folder, 'broken.save'), web.replace(/^-A KUBE-SEP-.*DNAT.*\n/gm, ''));
  writeFileSync(join(folder, 'unhooked.save'), web.replace(/^-A PREROUTING .*KUBE-SERVICES\n/gm, ''));
});
beforeEach(begin);
const run = (...args: readonly string[]) => runCli([...args, '--live', '--via', 'ssh'], { environment });

const each = [['diff'], ['doctor'], ['reach'], ['migrate', '--to', 'nftables', '--mode', 'iptables']];
for (const [command = '', ...more] of each) {
  test(`${command} of all nodes is that of each by name`, () => {
    rules('web', 99, 'web');
    const all = run(command, ...more, 'nodes', '-o', 'json');
    const named = run(command, ...more, 'node/n1', 'node/n2', '-o', 'json');
    assert.equal(all.stdout, named.stdout, all.stderr);
    assert.equal(all.status, named.status);
    const lines = all.stdout.trim().split('\n');
    assert.equal(lines.length, 3, all.stdout + all.stderr);
    for (const line of lines) assert.equal(schemaProblem(JSON.parse(line)), undefined);
    const nodes = lines.slice(0, 2).map((line) => JSON.parse(line) as Line);
    assert.deepEqual(
      nodes.map(({ node, given, isNamed }) => ({ node, given, isNamed })),
      ['n1', 'n2'].map((node) => ({ node, given: `node/${node}`, isNamed: true })),
    );
    for (const { state } of nodes) assert.notEqual(state, 'unjudged');
  });

  test(`${command}: a node that cannot be read proves nothing about the others`, () => {
    writeFileSync(join(folder, 'gone'), 'n1');
    rules('web', 99, 'web');
    const { status, stdout, stderr } = run(command, ...more, 'nodes', '-o', 'json');
    const [first, second] = stdout.split('\n').map((line) => line && (JSON.parse(line) as Line));
    assert.ok(first && second, stdout + stderr);
    assert.equal(status, 5, stdout);
    assert.deepEqual([first.node, first.state, first.exitCode], ['n1', 'unjudged', 5]);
    assert.match(JSON.stringify(first), /No route to host/);
    assert.equal(second.node, 'n2');
    assert.notEqual(second.state, 'unjudged');
  });
}

interface Line {
  readonly node: string;
  readonly given: string;
  readonly isNamed: boolean;
  readonly state: string;
  readonly exitCode: number;
}

test('what is wrong stands once, with its nodes', () => {
  rules('broken', 99, 'broken');
  const { status, stdout } = run('diff', 'nodes');
  assert.equal(status, 1);
  assert.match(stdout, /^2 nodes: 0 as they should be, 2 differ\n\nerror K8N\d+ shop\/web.*: n1, n2$/m);
  const found = run('doctor', 'nodes');
  assert.equal(found.status, 1);
  assert.match(found.stdout, /^error K8N\d+.*: n1, n2$/m);
});

for (const command of ['diff', 'doctor']) {
  test(`${command} takes all nodes where none is named`, () => {
    rules('web', 99, 'web');
    const [named, bare] = [run(command, 'nodes', '-o', 'json'), run(command, '-o', 'json')];
    assert.equal(bare.status, 0, bare.stderr);
    assert.equal(bare.stdout, named.stdout);
    const lost = runCli([command], { environment });
    assert.match(lost.stderr, /missing required argument 'dump'/);
    assert.equal(lost.status, 2);
  });
}

test('packets are compared on one node, which is named', () => {
  const { status, stderr } = run('diff', '--compare', 'behaviour');
  assert.match(stderr, /give the dump of a node, or node\/NAME with --live/);
  assert.equal(status, 2);
});

test('a Service that is not compared is told, as the nodes look as they should', () => {
  keepsChanging();
  rules('broken', 99, 'broken');
  const { status, stdout } = run('diff', 'nodes');
  assert.equal(status, 0, stdout);
  assert.match(stdout, /^not compared: 1 Service on n1, n2 \(-v says which, and why\)$/m);
  assert.match(run('diff', 'nodes', '-v').stdout, /changed while the node was read, and not judged: shop\/web/);
});

test('commands that mend name the node that was asked', () => {
  rules('unhooked', 99, 'unhooked');
  for (const words of [['nodes'], ['node/n2']]) {
    const { stdout } = run('doctor', ...words);
    assert.match(stdout, /K8N207/);
    assert.match(stdout, /--field-selector spec\.nodeName=n2`/);
    assert.doesNotMatch(stdout, /=NODE/);
  }
});

test('a shard reads its own nodes alone', () => {
  rules('web', 99, 'web');
  const { status, stdout, stderr } = run('diff', 'nodes', '--shard', '1/2');
  assert.equal(status, 0, stdout + stderr);
  assert.match(stdout, /\bn2\b|1 node/);
  assert.equal(asked(), 1);
});

test('a cluster of one node answers in the same form', () => {
  const list = join(folder, 'nodes');
  const { items, ...rest } = JSON.parse(readFileSync(list, 'utf8')) as { readonly items: readonly object[] };
  writeFileSync(list, JSON.stringify({ ...rest, items: items.slice(0, 1) }));
  rules('web', 99, 'web');
  const { status, stdout, stderr } = run('diff', 'nodes');
  assert.equal(status, 0, stderr);
  assert.match(stdout, /^1 node: 1 as it should be/);
});

test('what does not go together is refused', () => {
  const cases: readonly (readonly [RegExp, ...string[]])[] = [
    [/nodes of the cluster and files do not go together/, 'diff', 'nodes', join(folder, 'web.save')],
    [/nodes of the cluster and files do not go together/, 'doctor', join(folder, 'web.save'), 'node/n1'],
    [/--output html is about one node/, 'diff', 'nodes', '-o', 'html'],
    [/--node and several nodes exclude each other/, 'diff', 'nodes', '--node', 'n1'],
    [/the name comes first, then the node: k8snet whois 10\.96\.0\.1 node\/n1/, 'whois', 'node/n1', '10.96.0.1'],
    [/name one; for a packet, that of its sender/, 'trace', 'nodes', '--from', 'node', '--to', '10.96.0.1:80'],
    [/--routes is about one node/, 'doctor', 'node/n1', 'node/n2', '--routes', join(folder, 'web.save')],
  ];
  for (const [why, ...words] of cases) {
    const { status, stderr } = run(...words);
    assert.match(stderr, why);
    assert.equal(status, 2);
  }
});
