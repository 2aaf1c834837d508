import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { keptInOrder } from '../../src/common/keptInOrder.ts';

const [a, b, c, d, e] = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name }));
type Item = NonNullable<typeof a>;

describe('values that are kept in order', () => {
  for (const [what, list] of [
    ['in the same order', [a, b, c, d]],
    ['with one less', [a, c, d]],
    ['with two less', [a, d]],
    ['with one more', [a, b, e, c, d]],
    ['with another one', [a, e, c, d]],
    ['in another order', [d, c, b, a]],
    ['with one twice', [a, a, b, b, c]],
    ['with none', []],
  ] as const) {
    it(`are those of their items: ${what}`, () => {
      const kept = keptInOrder<Item, string>();
      const first = kept.pass();
      for (const item of [a, b, c, d] as Item[]) {
        assert.equal(first.get(item), undefined);
        first.set(item, item.name);
      }
      for (let time = 0; time < 3; time += 1) {
        const pass = kept.pass();
        for (const item of list as readonly Item[]) {
          const expected = item === e && time === 0 && pass.get(item) === undefined ? undefined : item.name;
          if (expected === undefined) pass.set(item, item.name);
          else assert.equal(pass.get(item), expected);
        }
      }
    });
  }

  it('are found in order after a pass in which nobody asked', () => {
    const kept = keptInOrder<Item, number>();
    const first = kept.pass();
    first.set(a as Item, 1);
    kept.pass();
    const third = kept.pass();
    assert.equal(third.get(a as Item), 1);
  });

  it('are the last ones that were set, also for later passes', () => {
    const kept = keptInOrder<Item, number>();
    const first = kept.pass();
    for (const [at, item] of ([a, b] as Item[]).entries()) first.set(item, at);
    const second = kept.pass();
    assert.equal(second.get(a as Item), 0);
    assert.equal(second.get(b as Item), 1);
    second.set(a as Item, 7);
    const third = kept.pass();
    assert.equal(third.get(a as Item), 7);
    assert.equal(third.get(b as Item), 1);
  });
});
