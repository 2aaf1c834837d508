import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { cliCommand, runCli } from '../support/runCli.ts';
import { fakeCluster, service } from './fakeCluster.ts';

/**
 * A Service was deleted just before a cluster is read, which no object tells, and kube-proxy may not have written it yet: a
 * node is blamed for what it still has a while later.
 */
const { folder, environment, rules, asked, forget, keepsChanging, begin, close } = fakeCluster();
after(close);
beforeEach(begin);

const run = (...args: readonly string[]) => runCli([...args, '--live', '--via', 'ssh'], { environment });

test('rules that kube-proxy was about to remove are no difference', () => {
  rules('both', 1, 'web');
  const { status, stdout, stderr } = run('diff', 'node/n1');
  assert.equal(status, 0, stdout + stderr);
  assert.equal(asked(), 2);
});

test('rules that stay are', () => {
  rules('both', 9, 'both');
  const { status, stdout } = run('diff', 'node/n1');
  assert.equal(status, 1);
  assert.match(stdout, /shop\/old/);
  assert.equal(asked(), 2);
});

test('of a chain that keeps changing, what differs in both looks counts', () => {
  const web = readFileSync(join(folder, 'web.save'), 'utf8');
  const also = (port: number) => `-A KUBE-SERVICES -d 10.96.0.${port}/32 -p tcp -m tcp --dport ${port} -j ACCEPT\n`;
  const save = (name: string, ...ports: readonly number[]) =>
    writeFileSync(join(folder, `${name}.save`), web.replace(/(?=-A KUBE-SERVICES )/, ports.map(also).join('')));
  save('first', 7, 8);
  save('then', 7, 9);
  rules('first', 1, 'then');
  const { status, stdout } = run('diff', 'node/n1');
  assert.equal(status, 1);
  assert.match(stdout, /10\.96\.0\.7/);
  assert.doesNotMatch(stdout, /10\.96\.0\.[89]/);
  save('then', 9);
  forget();
  const passing = run('diff', 'node/n1');
  assert.equal(passing.status, 0, passing.stdout + passing.stderr);
});

test('where something keeps changing, kube-proxy may be slow', () => {
  const list = join(folder, 'services');
  // Another Service, without rules, that changes with each reading.
  const busy = { ...service('busy', 'None'), metadata: { name: 'busy', namespace: 'shop', resourceVersion: 'BUSY' } };
  const { items, ...rest } = JSON.parse(readFileSync(list, 'utf8')) as { readonly items: readonly object[] };
  writeFileSync(list, JSON.stringify({ ...rest, items: [...items, busy] }));
  rules('both', 5, 'web');
  const slow = run('diff', 'node/n1');
  assert.equal(slow.status, 0, slow.stdout + slow.stderr);
  assert.equal(asked(), 6);
  forget();
  rules('both', 99, 'both');
  const broken = run('diff', 'node/n1');
  assert.equal(broken.status, 1, broken.stdout + broken.stderr);
  assert.match(broken.stdout, /shop\/old/);
  // A look that finds changes reads the node twice.
  assert.equal(asked(), 8);
});

test('what packets meet is looked at again, too', () => {
  const behaviour = ['diff', '--compare', 'behaviour', 'node/n1'];
  rules('both', 1, 'web');
  const soon = run(...behaviour);
  assert.equal(soon.status, 0, soon.stdout + soon.stderr);
  assert.equal(asked(), 2);
  forget();
  rules('both', 9, 'both');
  const broken = run(...behaviour);
  assert.equal(broken.status, 1, broken.stdout + broken.stderr);
  assert.equal(asked(), 2);
});

test('packets to a Service that keeps changing are not judged', () => {
  keepsChanging();
  rules('behind', 99, 'behind');
  const { status, stdout, stderr } = run('diff', '--compare', 'behaviour', 'node/n1', '-o', 'json');
  assert.match(stderr, /note services-changing: changed while the node was read, and not judged: shop\/web/);
  assert.equal(status, 0, stdout);
  assert.deepEqual((JSON.parse(stdout) as { readonly findings: readonly object[] }).findings, []);
});

test('a node in order is read once', () => {
  rules('web', 9, 'web');
  const { status, stdout, stderr } = run('diff', 'node/n1');
  assert.equal(status, 0, stdout + stderr);
  assert.equal(asked(), 1);
});

test('each of several nodes is read once more, and waited for once', () => {
  // A few are read before the first is compared.
  rules('both', 2, 'web');
  const { status, stdout, stderr } = run('diff', 'nodes');
  assert.equal(status, 0, stdout + stderr);
  assert.equal(asked(), 4);
  forget();
  rules('both', 2, 'web');
  const named = run('diff', 'node/n1', 'node/n2');
  assert.equal(named.status, 0, named.stdout + named.stderr);
  assert.equal(asked(), 4);
});

test('of several nodes that differ', () => {
  rules('both', 9, 'both');
  const { status, stdout, stderr } = run('diff', 'node/n1', 'node/n2', '-o', 'json');
  assert.equal(status, 1, stdout + stderr);
  assert.equal(asked(), 4);
});

test('check-service blames a node for what it has later, too', () => {
  rules('web', 9, 'web');
  writeFileSync(
    join(folder, 'broken.save'),
    readFileSync(join(folder, 'web.save'), 'utf8').replace(/-A KUBE-SERVICES .*\n/g, ''),
  );
  const inOrder = run('check-service', 'shop/web', 'node/n1');
  assert.equal(inOrder.status, 0, inOrder.stdout + inOrder.stderr);
  forget();
  rules('broken', 1, 'web');
  const soon = run('check-service', 'shop/web', 'node/n1');
  assert.equal(soon.status, 0, soon.stdout + soon.stderr);
  forget();
  rules('broken', 9, 'web');
  const broken = run('check-service', 'shop/web', 'node/n1');
  assert.equal(broken.status, 1, broken.stdout + broken.stderr);
  assert.equal(asked(), 2);
});

test('a watch begins with what stands', async () => {
  rules('both', 1, 'web');
  const [command = '', ...words] = cliCommand;
  const watch = spawn(command, [...words, 'diff', 'node/n1', '--live', '--via', 'ssh', '--watch', '--interval', '1h'], {
    env: { ...process.env, ...environment },
  });
  const said = await new Promise<string>((resolve) => {
    let text = '';
    watch.stdout.on('data', (piece: Buffer) => {
      text += piece.toString();
      if (text.includes('\n')) resolve(text);
    });
    watch.once('close', () => resolve(text));
  });
  watch.kill('SIGINT');
  assert.ok(said.includes('node n1'), said);
  assert.doesNotMatch(said, /K8N/);
});
