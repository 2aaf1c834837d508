import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Family } from '../../../src/common/addresses/family.ts';
import type { Rule } from '../../../src/netfilter/iptables/ast.ts';
import { canonicalIptablesRule } from '../../../src/netfilter/iptables/canonical.ts';
import { parseRule } from '../../../src/netfilter/iptables/read/parseRule.ts';

/** Lines that kube-proxy has on every node, as iptables-save prints them. */
export const usualLines: readonly (readonly [line: string, family: Family])[] = [
  [
    '-A KUBE-SERVICES -d 10.96.0.1/32 -p tcp -m comment --comment "default/kubernetes:https cluster IP" -m tcp --dport 443 -j KUBE-SVC-NPX46M4PTMTKRN6Y',
    'ipv4',
  ],
  [
    '-A KUBE-SVC-NPX46M4PTMTKRN6Y ! -s 10.244.0.0/16 -d 10.96.0.1/32 -p tcp -m comment --comment "default/kubernetes:https cluster IP" -m tcp --dport 443 -j KUBE-MARK-MASQ',
    'ipv4',
  ],
  [
    '-A KUBE-SVC-NPX46M4PTMTKRN6Y -m comment --comment "default/kubernetes:https -> 10.0.0.1:6443" -m statistic --mode random --probability 0.33333333349 -j KUBE-SEP-ABC',
    'ipv4',
  ],
  ['-A KUBE-SEP-ABC -s 10.0.0.1/32 -m comment --comment "default/kubernetes:https" -j KUBE-MARK-MASQ', 'ipv4'],
  [
    '-A KUBE-SEP-ABC -p tcp -m comment --comment "default/kubernetes:https" -m tcp -j DNAT --to-destination 10.0.0.1:6443',
    'ipv4',
  ],
  ['-A KUBE-SEP-ABC -s fd00::1/128 -m comment --comment nothing -j KUBE-MARK-MASQ', 'ipv6'],
  ['-A KUBE-SEP-ABC -p udp -m udp -j DNAT --to-destination [fd00::1]:53', 'ipv6'],
];

/** By the parser that reads all lines. */
export function parsedLine(line: string, family: Family, number?: number): Rule {
  const read = parseRule(line, number);
  assert.ok(read.kind === 'rule', line);
  return canonicalIptablesRule(read.rule, family);
}

export type Edit = (line: string) => string;

/** A word that goes, comes, or changes places with another; a character in between. */
export function edits(): fc.Arbitrary<Edit> {
  const place = fc.nat({ max: 30 });
  const words = (line: string) => line.match(/"[^"]*"|[^ ]+/g) ?? [];
  return fc.oneof(
    place.map((at): Edit => {
      return (line) => words(line).toSpliced(at, 1).join(' ');
    }),
    fc.tuple(place, fc.constantFrom(...pieces)).map(([at, piece]): Edit => {
      return (line) => words(line).toSpliced(at, 0, piece).join(' ');
    }),
    fc.tuple(place, fc.constantFrom(...pieces)).map(([at, piece]): Edit => {
      return (line) => words(line).toSpliced(at, 1, piece).join(' ');
    }),
    fc
      .tuple(fc.nat({ max: 200 }), fc.nat({ max: 2 }), fc.constantFrom(...characters))
      .map(([at, less, character]): Edit => {
        return (line) => line.slice(0, at) + character + line.slice(at + less);
      }),
  );
}

const characters = ['', ' ', '"', "'", '\\', '\t', '\r', '\0', '\u2028', 'é', '0', '1', '/', ':', '.', '-', '!', 'a'];

const pieces = [
  '!',
  '-s',
  '-d',
  '-p',
  '-m',
  '-j',
  '-g',
  '10.0.0.1/32',
  '10.0.0.0/8',
  '10.0.0.1/8',
  '1.2.3.4',
  '0.0.0.0/0',
  '::/0',
  'FD00::1/128',
  '300.1.1.1/32',
  '1.2.3.4/33',
  'tcp',
  'UDP',
  '6',
  '"a b"',
  '"ab"',
  '"x -j KUBE-SEP-A"',
  '-m statistic --mode random --probability 0.50000000000',
  '-m tcp --dport 80',
  '--dport 0',
  '-m comment --comment "é ü"',
  'KUBE-MARK-MASQ',
  'DNAT',
  '--to-destination',
  '1.2.3.4:80',
  '1.2.3.4:80-80',
  '[fd00::1]:80',
];
