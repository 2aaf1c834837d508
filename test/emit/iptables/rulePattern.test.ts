import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { patternPrinter } from '../../../src/emit/iptables/patterns/patternPrinter.ts';
import type { RulePattern } from '../../../src/emit/iptables/patterns/rulePattern.ts';
import { bareComment, comment, jumpTo } from '../../../src/netfilter/iptables/print/builders.ts';
import { printRule } from '../../../src/netfilter/iptables/print/printRule.ts';
import { fuzzSeed } from '../../support/fuzzSeed.ts';

const patterns: readonly RulePattern[] = [
  ({ chain, name, ip }) => ({
    chain,
    words: [bareComment(name), { kind: 'source', address: ip }],
    target: jumpTo('KUBE-MARK-MASQ'),
  }),
  ({ chain, ip }) => ({
    chain,
    words: [{ kind: 'source', address: `${ip}${ip.includes(':') ? '/128' : '/32'}` }],
    target: { kind: 'mark', operation: 'set-xmark', value: 1, mask: 3 },
  }),
  ({ chain, address }) => ({
    chain,
    words: [
      { kind: 'recent', action: 'set', name: chain },
      { kind: 'transport', protocol: 'udp' },
      { kind: 'protocol', protocol: 'udp' },
    ],
    target: { kind: 'dnat', to: address },
  }),
  ({ chain, target, name, address, share }) => ({
    chain,
    words: [comment(`${name} -> ${address}`), { kind: 'statistic', mode: 'random', probability: share }],
    target: jumpTo(target),
  }),
];

const ip4 = fc.oneof(
  fc.ipV4(),
  fc.constantFrom('10.0.0.1', '010.1.2.3', '0.0.0.0', '192.0.2.11', '203.0.113.7', '1.2.3.04'),
);
const ip6 = fc.oneof(fc.ipV6(), fc.constantFrom('::1', 'fd00::1', 'FD00::1', '::ffff:1.2.3.4', '2001:db8::11'));
const name = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom('shop/web:http', 'kube-system/kube-dns:dns-tcp', 'default/kubernetes:https'),
  },
  fc.constantFrom('shop/web:http', 'a/b', '1/2:3', 'sample-a/one:x', 'Shop/web', 'a b/c', 'a/b"c', 'a/b:', 'ns/näme'),
  fc.string({ maxLength: 8 }),
);
const words = (ip: fc.Arbitrary<string>, address: (ip: string, port: number) => string) =>
  fc
    .tuple(name, ip, fc.integer({ min: 1, max: 65_535 }), fc.integer({ min: 2, max: 3000 }))
    .map(([own, one, port, left]) => ({
      name: own,
      chain: `KUBE-SEP-${'A'.repeat(port % 17)}`,
      target: 'KUBE-SEP-ZZ',
      ip: one,
      address: address(one, port),
      share: (1 / left).toFixed(port % 2 === 0 ? 10 : 5),
    }));

test('a pattern prints what the printer prints, or leaves the rule to it', () => {
  const families = [
    ['ipv4', words(ip4, (ip, port) => `${ip}:${port}`)],
    ['ipv6', words(ip6, (ip, port) => `[${ip}]:${port}`)],
  ] as const;
  let fast = 0;
  for (const [family, arbitrary] of families) {
    for (const spelling of ['restore', 'save'] as const) {
      for (const make of patterns) {
        const print = patternPrinter(make, spelling, family);
        assert.ok(print !== undefined);
        const property = fc.property(arbitrary, (own) => {
          const printed = print(own);
          if (printed === undefined) return;
          fast += 1;
          assert.equal(printed, printRule(make(own), spelling, family));
        });
        fc.assert(property, { numRuns: 60, seed: fuzzSeed });
      }
    }
  }
  assert.ok(fast > 100, `${fast} rules were printed fast`);
});

test('a pattern that does more than copy its words is left to the printer', () => {
  const make: RulePattern = ({ chain, ip }) => ({
    chain,
    words: [comment(ip.startsWith('192.') ? 'first' : 'second')],
    target: jumpTo('ACCEPT'),
  });
  assert.equal(patternPrinter(make, 'save', 'ipv4'), undefined);
});
