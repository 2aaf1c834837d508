import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseCidr } from '../../src/common/addresses/cidr.ts';
import type { Family } from '../../src/common/addresses/family.ts';
import { type AddressRange, rangeOfCidr } from '../../src/common/ranges/addressRange.ts';
import { joinRanges, type RangeList } from '../../src/common/ranges/rangeList.ts';
import { union, without } from '../../src/common/ranges/valueSet.ts';
import { intervalText } from '../../src/policy/rules/intervalText.ts';
import { rangesOfBlocks } from '../../src/policy/rules/rangesOfBlocks.ts';
import type { IpBlockObject } from '../../src/validate/kinds/networkPolicyObjects.ts';

const seed = Number(process.env.FUZZ_SEED ?? 19);

/** Few addresses, so that blocks overlap and touch; the ends of both families too. */
const ipv4 = fc.tuple(fc.constantFrom('10.0.0.', '0.0.0.', '255.255.255.', '010.0.00.'), fc.nat(255), fc.nat(32));
const ipv6 = fc.tuple(
  fc.constantFrom('fd00::', '::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:', '::ffff:10.0.0.'),
  fc.nat(255),
);
const cidr = fc.oneof(
  ipv4.map(([start, last, length]) => `${start}${last}/${length}`),
  fc
    .tuple(ipv6, fc.constantFrom(0, 1, 96, 104, 120, 124, 127, 128))
    .map(([[start, last], length]) => `${start}${last}/${length}`),
  fc.constantFrom('10.0.0.0', '10.0.0.0/33', '', '10.0.0.0/08', 'fd00::/129'),
);
const block = fc.record({ cidr, except: fc.oneof(fc.constantFrom(undefined, null), fc.array(cidr, { maxLength: 4 })) });

for (const family of ['ipv4', 'ipv6'] as const) {
  test(`blocks of ${family} are what their ranges one by one are (seed ${seed})`, () => {
    fc.assert(
      fc.property(fc.array(fc.array(block, { maxLength: 12 }), { maxLength: 3 }), (lists) => {
        const expected = union(lists.flat().flatMap((one) => oneByOne(one, family)));
        const found = joinRanges(lists.map((list) => rangesOfBlocks(list, family)));
        assert.deepEqual(asRanges(found), expected);
      }),
      { seed, numRuns: 500 },
    );
  });
}

test('a range is a prefix where it is one, an address, else a range', () => {
  const text = (first: number | bigint, last: number | bigint, family: Family) =>
    intervalText([first, last], 0, family);
  assert.equal(text(0, 2 ** 32 - 1, 'ipv4'), '0.0.0.0/0');
  assert.equal(text(0, 2 ** 31 - 1, 'ipv4'), '0.0.0.0/1');
  assert.equal(text(2 ** 31, 2 ** 32 - 1, 'ipv4'), '128.0.0.0/1');
  assert.equal(text(1, 2 ** 32 - 1, 'ipv4'), '0.0.0.1-255.255.255.255');
  assert.equal(text(0x0a000001, 0x0a000001, 'ipv4'), '10.0.0.1');
  assert.equal(text(0x0a000001, 0x0a000002, 'ipv4'), '10.0.0.1-10.0.0.2');
  assert.equal(text(0n, 2n ** 128n - 1n, 'ipv6'), '::/0');
  assert.equal(text(2n ** 64n, 2n ** 65n - 1n, 'ipv6'), '0:0:0:1::/64');
  assert.equal(text(1n, 2n, 'ipv6'), '::1-::2');
});

function oneByOne({ cidr: text, except }: IpBlockObject, family: Family): readonly AddressRange[] {
  const network = parseCidr(text);
  if (network?.family !== family) return [];
  const holes = (except ?? []).map(parseCidr).filter((hole) => hole?.family === family);
  return without(
    rangeOfCidr(network),
    holes.map((hole) => rangeOfCidr(hole as typeof network)),
  );
}

function asRanges(list: RangeList): readonly AddressRange[] {
  return Array.from({ length: list.length / 2 }, (_, at) => ({
    first: BigInt(list[2 * at] ?? 0),
    last: BigInt(list[2 * at + 1] ?? 0),
  }));
}
