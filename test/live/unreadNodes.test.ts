import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { runCli } from '../support/runCli.ts';
import { fakeCluster } from './fakeCluster.ts';

/** A question to a cluster that names no node is answered from its objects, and says so: the node itself may be broken. */
const { environment, rules, begin, close } = fakeCluster();
after(close);
before(() => {
  begin();
  rules('web', 99, 'web');
});
const note = /^note nodes-not-read: no node was read: /m;

const packet = ['--from', 'node', '--to', '10.96.0.1:80'];
const questions = [
  ['trace', ...packet],
  ['why', ...packet],
  ['split', 'shop/web'],
  ['reach'],
  ['migrate', '--to', 'nftables', '--mode', 'iptables'],
] as const;
for (const question of questions) {
  test(`${question[0]} says that it read no node, and nothing of it where it did`, () => {
    const [command, ...words] = question;
    const of = runCli([command, ...words, '--live', '--node', 'n1'], { environment });
    assert.match(of.stderr, note, of.stdout);
    const own = runCli([command, ...words, 'node/n1', '--live', '--via', 'ssh'], { environment });
    assert.doesNotMatch(own.stderr, note);
    assert.ok(own.stdout !== '' && own.status !== 2, own.stderr);
  });
}
