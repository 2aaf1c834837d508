import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readDumps } from '../../src/dump/readDumps.ts';
import { placeText } from '../../src/node/lines/placeText.ts';

it('a place without a line is its file', () => {
  assert.equal(placeText({ file: 'n1.save', line: 31 }), 'n1.save:31');
  assert.equal(placeText({ file: 'n1.save', line: 0 }), 'n1.save');
});

it('commands for nft that a kernel refuses are named with their lines', () => {
  const text =
    'add table ip kube-proxy\n# rules\nadd rule ip kube-proxy services drop\nadd rule ip kube-proxy gone drop\n';
  const { unread } = readDumps([{ name: 'n.nft', text }], { name: 'n' });
  assert.deepEqual(
    unread.map(({ line }) => line),
    [3, 4],
  );
});
