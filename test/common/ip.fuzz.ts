import assert from 'node:assert/strict';
import { isIP, SocketAddress } from 'node:net';
import { test } from 'node:test';
import fc from 'fast-check';
import { canonicalIp, familyOf, formatIp, parseIp, plainIpv4Number } from '../../src/common/addresses/ip.ts';
import { fuzzSeed } from '../support/fuzzSeed.ts';

const addressLike = fc.oneof(
  fc.ipV4(),
  fc.ipV6(),
  fc.string({ unit: fc.constantFrom(...'0129afF:.g%'), maxLength: 24 }),
  fc
    .array(fc.constantFrom('', '0', '1', 'ffff', '1.2.3.4'), { minLength: 2, maxLength: 9 })
    .map((parts) => parts.join(':')),
);

/** Node takes no leading zeros in IPv4 and keeps IPv4-mapped addresses as IPv6; zones are refused here. */
function isComparable(text: string): boolean {
  return !/(^|[.:])0[0-9]+($|\.)/.test(text) && !/\.0[0-9]/.test(text) && !text.includes('%');
}

test('accepts what the platform accepts, spelled as it spells it', () => {
  fc.assert(
    fc.property(addressLike.filter(isComparable), (text) => {
      const version = isIP(text);
      assert.equal(canonicalIp(text) === undefined, version === 0, text);
      if (version === 4) assert.equal(canonicalIp(text), text);
      if (version === 6 && familyOf(text) === 'ipv6') {
        const ours = canonicalIp(text) ?? '';
        const platform = new SocketAddress({ address: text, family: 'ipv6' }).address;
        assert.deepEqual(parseIp(ours), parseIp(platform));
        if (!platform.includes('.')) assert.equal(ours, platform);
      }
    }),
    { numRuns: 2000, seed: fuzzSeed },
  );
});

test('the number of an address in its one spelling', () => {
  const octets = fc.array(fc.constantFrom('0', '00', '01', '7', '10', '99', '100', '255', '256', ''), { maxLength: 5 });
  fc.assert(
    fc.property(
      fc.oneof(
        addressLike,
        octets.map((parts) => parts.join('.')),
      ),
      (text) => {
        const parsed = parseIp(text);
        const isPlain = parsed?.family === 'ipv4' && formatIp(parsed) === text;
        assert.equal(plainIpv4Number(text), isPlain ? parsed.value : -1, text);
      },
    ),
    { numRuns: 2000, seed: fuzzSeed },
  );
});

test('canonical text is a fixed point and formats what was parsed', () => {
  fc.assert(
    fc.property(addressLike, (text) => {
      const parsed = parseIp(text);
      const canonical = canonicalIp(text);
      assert.equal(parsed && formatIp(parsed), canonical);
      assert.equal(parsed?.family, familyOf(text));
      if (canonical === undefined) return;
      assert.equal(canonicalIp(canonical), canonical);
      assert.deepEqual(parseIp(canonical), parsed);
    }),
    { numRuns: 2000, seed: fuzzSeed },
  );
});
