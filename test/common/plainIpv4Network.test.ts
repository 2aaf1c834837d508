import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseCidr } from '../../src/common/addresses/cidr.ts';
import { plainIpv4Network } from '../../src/common/addresses/plainIpv4Network.ts';

const seed = Number(process.env.FUZZ_SEED ?? 19);

test(`what is read as a plain network is that network (seed ${seed})`, () => {
  const characters = fc.string({ unit: fc.constantFrom(...'0123456789./:a '), maxLength: 20 });
  const usual = fc
    .tuple(fc.array(fc.nat(260), { minLength: 3, maxLength: 5 }), fc.nat(34))
    .map(([parts, length]) => `${parts.join('.')}/${length}`);
  fc.assert(
    fc.property(fc.oneof(characters, usual), (text) => {
      const plain = plainIpv4Network(text);
      const network = parseCidr(text);
      if (plain < 0) {
        // Only what has zeros in front is a network and not plain.
        if (network?.family === 'ipv4' && !text.includes(':')) assert.match(text, /(?:^|[./])0[0-9]/);
        return;
      }
      const masked = parseCidr(
        `${Math.floor(plain / 2 ** 30)}.${Math.floor(plain / 2 ** 22) & 255}.${Math.floor(plain / 2 ** 14) & 255}.${Math.floor(plain / 64) & 255}/${plain % 64}`,
      );
      assert.deepEqual(masked, network);
      assert.equal(network?.family, 'ipv4');
    }),
    { seed, numRuns: 5000 },
  );
});
