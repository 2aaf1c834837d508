import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseIp } from '../../src/common/addresses/ip.ts';
import { networkText, prefixesOf, prefixText } from '../../src/common/ranges/prefixesOf.ts';
import { prefixRange } from '../../src/common/ranges/prefixRange.ts';
import { joinRanges, pushWithout, type RangeList } from '../../src/common/ranges/rangeList.ts';
import type { Value, ValueRange } from '../../src/common/ranges/valueRange.ts';
import { cut, union, without } from '../../src/common/ranges/valueSet.ts';

const seed = Number(process.env.FUZZ_SEED ?? 28);

/** Few values at both ends of each kind, so that ranges overlap, touch and reach the last one. */
const bases: Readonly<Record<string, readonly Value[]>> = {
  numbers: [0, 2 ** 32 - 24],
  bigints: [0n, 2n ** 128n - 24n],
};

for (const [kind, [low = 0, high = 0]] of Object.entries(bases)) {
  for (const base of [low, high]) {
    describe(`ranges of ${kind} from ${base} on (seed ${seed})`, () => {
      const at = (value: number): Value => (typeof base === 'bigint' ? base + BigInt(value) : base + value);
      const range = fc
        .tuple(fc.nat(23), fc.nat(23))
        .map(([a, b]): ValueRange => ({ first: at(Math.min(a, b)), last: at(Math.max(a, b)) }));
      const ranges = fc.array(range, { maxLength: 6 });
      const all = Array.from({ length: 24 }, (_, value) => at(value));
      const valuesIn = (list: readonly ValueRange[]) =>
        all.filter((value) => list.some(({ first, last }) => first <= value && value <= last));
      /** Ascending, and so far apart that a value lies between two. */
      const assertMerged = (list: readonly ValueRange[]) => {
        for (const [index, { first, last }] of list.entries()) {
          assert.ok(first <= last);
          const next = list[index + 1];
          if (next !== undefined) assert.ok(BigInt(next.first) - BigInt(last) > 1n);
        }
      };

      it('hold the same values when they are joined', () => {
        fc.assert(
          fc.property(ranges, (list) => {
            const joined = union(list);
            assertMerged(joined);
            assert.deepEqual(valuesIn(joined), valuesIn(list));
            assert.deepEqual(asRanges(joinRanges([[], asList(list)])), joined);
          }),
          { seed },
        );
      });

      it('are cut in two by others', () => {
        fc.assert(
          fc.property(ranges, ranges, (list, others) => {
            const { inside, outside } = cut(union(list), union(others));
            assertMerged(outside);
            const wanted = new Set(valuesIn(others));
            assert.deepEqual(
              valuesIn(inside),
              valuesIn(list).filter((value) => wanted.has(value)),
            );
            assert.deepEqual(
              valuesIn(outside),
              valuesIn(list).filter((value) => !wanted.has(value)),
            );
          }),
          { seed },
        );
      });

      it('lose the same to holes, whether they are objects or bounds', () => {
        fc.assert(
          fc.property(range, ranges, (whole, holes) => {
            const left = without(whole, holes);
            const gone = new Set(valuesIn(holes));
            assertMerged(left);
            assert.deepEqual(
              valuesIn(left),
              valuesIn([whole]).filter((value) => !gone.has(value)),
            );
            const bounds: Value[] = [];
            pushWithout(bounds, whole, joinRanges([[], asList(holes)]));
            assert.deepEqual(asRanges(bounds), left);
          }),
          { seed },
        );
      });

      it('are the fewest networks', () => {
        const family = typeof base === 'bigint' ? 'ipv6' : 'ipv4';
        fc.assert(
          fc.property(range, (whole) => {
            const networks = prefixesOf(whole, family).map(({ address, length }) =>
              prefixRange(numberOf(address), length),
            );
            assert.deepEqual(union(networks), [whole]);
            // Two that are halves of one network would be that one.
            for (const [index, one] of networks.entries()) {
              const next = networks[index + 1];
              if (next !== undefined) assert.notDeepEqual(twiceAs(one), { first: one.first, last: next.last });
            }
          }),
          { seed },
        );
      });
    });
  }
}

it('networks are written with and without the length of a single address', () => {
  const texts = ({ first, last }: ValueRange, family: 'ipv4' | 'ipv6') =>
    prefixesOf({ first, last }, family).map((prefix) => `${prefixText(prefix)} ${networkText(prefix, family)}`);
  assert.deepEqual(texts({ first: 0, last: 2 ** 32 - 1 }, 'ipv4'), ['0.0.0.0/0 0.0.0.0/0']);
  assert.deepEqual(texts({ first: 0n, last: 2n ** 128n - 1n }, 'ipv6'), ['::/0 ::/0']);
  assert.deepEqual(texts({ first: 0x0a000001, last: 0x0a000003 }, 'ipv4'), [
    '10.0.0.1/32 10.0.0.1',
    '10.0.0.2/31 10.0.0.2/31',
  ]);
  assert.deepEqual(texts({ first: 0x0a000001n, last: 0x0a000001n }, 'ipv4'), ['10.0.0.1/32 10.0.0.1']);
  assert.deepEqual(texts({ first: 1n, last: 2n }, 'ipv6'), ['::1/128 ::1', '::2/128 ::2']);
});

function asList(ranges: readonly ValueRange[]): RangeList {
  return ranges.flatMap(({ first, last }) => [first, last]);
}

function asRanges(list: RangeList): readonly ValueRange[] {
  return Array.from({ length: list.length / 2 }, (_, at) => ({
    first: list[2 * at] as Value,
    last: list[2 * at + 1] as Value,
  }));
}

function numberOf(address: string): Value {
  return parseIp(address)?.value ?? assert.fail(address);
}

/** The network of twice the size that begins with this one; undefined: none does. */
function twiceAs({ first, last }: ValueRange): ValueRange | undefined {
  const size = BigInt(last) - BigInt(first) + 1n;
  if (BigInt(first) % (size * 2n) !== 0n) return undefined;
  const end = BigInt(last) + size;
  return { first, last: typeof first === 'bigint' ? end : Number(end) };
}
