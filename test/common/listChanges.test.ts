import assert from 'node:assert/strict';
import { it } from 'node:test';
import { listChanges } from '../../src/common/listChanges.ts';
import { seededRandom } from '../fleet/randomCluster.ts';

for (const [before, now, gone, added] of [
  ['', '', '', ''],
  ['', 'ab', '', 'ab'],
  ['ab', '', 'ab', ''],
  ['abc', 'abc', '', ''],
  ['abcd', 'axcd', 'b', 'x'],
  ['abcd', 'acd', 'b', ''],
  ['abcd', 'abxcd', '', 'x'],
  ['abcd', 'xbcy', 'ad', 'xy'],
  ['abcd', 'dcba', '', ''],
  ['aab', 'ab', 'a', ''],
  ['ab', 'aabb', '', 'ab'],
  ['aa', 'aaa', '', 'a'],
] as const) {
  it(`from "${before}" to "${now}"`, () => {
    const { gone: lost, added: won } = listChanges([...before], [...now]);
    assert.deepEqual({ gone: sorted(lost), added: sorted(won) }, { gone: [...gone], added: [...added] });
  });
}

it('of any two lists, turns one into the other', () => {
  const random = seededRandom(5);
  const any = () => Array.from({ length: random(8) }, () => 'abcd'[random(4)] as string);
  for (let at = 0; at < 2000; at += 1) {
    const [before, now] = [any(), any()];
    const { gone, added } = listChanges(before, now);
    const left = [...before];
    for (const item of gone) left.splice(left.indexOf(item), 1);
    assert.deepEqual(sorted([...left, ...added]), sorted(now));
    assert.ok(!gone.some((item) => added.includes(item)));
  }
});

function sorted(items: readonly string[]): readonly string[] {
  return [...items].sort();
}
