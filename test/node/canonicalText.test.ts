import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readDumps } from '../../src/dump/readDumps.ts';
import { canonicalText } from '../../src/node/canonicalText.ts';
import { assertSameText } from '../netfilter/nft/assertSameText.ts';
import { recordedNft } from '../support/recordedNft.ts';

function canonical(text: string): string {
  const node = readDumps([{ name: 'dump', text }], { name: 'node' });
  assert.deepEqual(node.unread, []);
  return [...canonicalText(node)].join('');
}

test('what nft lists and what it was given have one canonical text, which is its own', () => {
  let count = 0;
  for (const { restore, save } of recordedNft()) {
    if (save === undefined) continue;
    const text = canonical(readFileSync(save, 'utf8'));
    assertSameText(canonical(readFileSync(restore, 'utf8')), text);
    assertSameText(canonical(text), text);
    count += 1;
  }
  assert.ok(count > 500);
});
