import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../support/compileCase.ts';
import { runMany } from '../support/runMany.ts';

/** Objects with several Nodes, no dump and no `--node`: the question tells on which of them the packet is walked. */
const manifests = join(root, 'fixtures/healthy/kind/manifests.yaml');

const questions: readonly (readonly [from: string, to: string, node: string | undefined])[] = [
  ['shop/client', 'shop/web:80', 'n1'],
  ['shop/far', 'shop/web:80', 'n2'],
  ['10.244.2.12', 'shop/web:80', 'n2'],
  ['node/n2', 'shop/web:80', 'n2'],
  ['outside', 'node/n2:30443', 'n2'],
  ['outside', 'shop/api:443', undefined],
  ['10.244.9.9', 'shop/web:80', undefined],
];

describe('the Node on which a packet is walked', () => {
  const asked = questions.map(([from, to]) => ['why', '-f', manifests, '--from', from, '--to', to]);
  const answers = runMany([...asked, [...(asked[1] ?? []), '--node', 'n1']]);

  for (const [at, [from, to, node]] of questions.entries()) {
    it(`from ${from} to ${to}: ${node ?? 'none of those given'}`, () => {
      const { stderr = '' } = answers[at] ?? {};
      const told = /note node-from-question: the packet is walked on node (\S+), which meets it first/.exec(stderr);
      assert.equal(told?.[1], node, stderr);
      assert.equal(/node-not-chosen/.test(stderr), node === undefined, stderr);
    });
  }

  it('serves a Pod as its own node does', () => {
    for (const at of [0, 1, 2]) {
      const { status, stdout } = answers[at] ?? {};
      assert.equal(status, 0, stdout);
      assert.match(stdout ?? '', /^It arrives, and the answer comes back/);
    }
  });

  it('is the one of --node, if somebody names one', () => {
    assert.doesNotMatch(answers.at(-1)?.stderr ?? '', /node-from-question/);
  });
});
