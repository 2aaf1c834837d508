import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { IpsetCommand, IpsetOption } from '../../../src/netfilter/ipset/ast.ts';
import { canonicalMembers } from '../../../src/netfilter/ipset/canonicalMember.ts';
import { canonicalSet } from '../../../src/netfilter/ipset/canonicalSet.ts';
import { parseCommand, printCommand } from '../../../src/netfilter/ipset/command.ts';
import { parseIpset } from '../../../src/netfilter/ipset/parseIpset.ts';
import { fuzzSeed as seed } from '../../support/fuzzSeed.ts';

const runs = { seed, numRuns: 200 };

const name = fc.stringMatching(/^[A-Za-z][A-Za-z0-9_.:-]{0,30}$/);
const type = fc.constantFrom('hash:ip', 'hash:ip,port', 'hash:ip,port,net', 'hash:net', 'bitmap:port', 'list:set');
const number = fc.nat(65535).map(String);
const address = fc.oneof(fc.ipV4(), fc.ipV6());
const member = fc.oneof(
  address,
  fc
    .tuple(address, fc.constantFrom('tcp', 'UDP', 'sctp'), number)
    .map(([ip, protocol, port]) => `${ip},${protocol}:${port}`),
  fc.tuple(fc.ipV4(), fc.nat(32)).map(([ip, length]) => `${ip}/${length}`),
  number,
);

/** Options are named once each. */
const options = (candidates: readonly fc.Arbitrary<IpsetOption>[]): fc.Arbitrary<readonly IpsetOption[]> =>
  fc.uniqueArray(fc.oneof(...candidates), { selector: ({ name }) => name, maxLength: 4 });

const createOptions = options([
  fc.constantFrom('inet', 'inet6').map((value) => ({ name: 'family', value })),
  number.map((value) => ({ name: 'timeout', value })),
  number.map((value) => ({ name: 'maxelem', value })),
  fc.constantFrom('counters', 'comment', 'skbinfo', 'forceadd').map((flag) => ({ name: flag })),
]);
const memberOptions = options([
  number.map((value) => ({ name: 'timeout', value })),
  fc.stringMatching(/^[^"\r\n\0]{0,20}$/).map((value) => ({ name: 'comment', value })),
  fc.constant({ name: 'nomatch' }),
]);
const isExist = fc.constantFrom({}, { isExist: true as const });

const command: fc.Arbitrary<IpsetCommand> = fc.oneof(
  fc.tuple(name, type, createOptions, isExist).map(
    ([set, ofType, written, exist]): IpsetCommand => ({
      kind: 'create',
      set,
      type: ofType,
      options: written,
      ...exist,
    }),
  ),
  fc
    .tuple(fc.constantFrom('add' as const, 'del' as const), name, member, memberOptions, isExist)
    .map(
      ([kind, set, text, written, exist]): IpsetCommand => ({ kind, set, member: text, options: written, ...exist }),
    ),
  fc
    .tuple(fc.constantFrom('flush' as const, 'destroy' as const), fc.option(name, { nil: undefined }))
    .map(([kind, set]): IpsetCommand => (set === undefined ? { kind } : { kind, set })),
  fc
    .tuple(fc.constantFrom('swap' as const, 'rename' as const), name, name)
    .map(([kind, set, other]): IpsetCommand => ({ kind, set, other })),
);

test(`a printed command is read as the same command (seed ${seed})`, () => {
  fc.assert(
    fc.property(command, (given) => {
      assert.deepEqual(parseCommand(printCommand(given)), { command: given });
    }),
    runs,
  );
});

test(`a command is one line, whatever is in it (seed ${seed})`, () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (set, value) => {
      const line = printCommand({ kind: 'add', set, member: value, options: [{ name: 'comment', value }] });
      assert.doesNotMatch(line, /[\r\n\0]/);
      const read = parseCommand(line);
      assert.ok('command' in read && read.command.kind === 'add');
    }),
    runs,
  );
});

test(`a canonical member and a canonical set are their own canonical forms (seed ${seed})`, () => {
  fc.assert(
    fc.property(type, fc.array(member, { maxLength: 5 }), (ofType, members) => {
      for (const text of members) {
        for (const one of canonicalMembers(ofType, text)) assert.deepEqual(canonicalMembers(ofType, one), [one]);
      }
      const placed = members.map((text) => ({ member: text, options: [] }));
      const once = canonicalSet({ name: 'S', type: ofType, options: [], members: placed });
      assert.deepEqual(canonicalSet(once), once);
    }),
    { ...runs, numRuns: 50 },
  );
});

test(`no text makes the reader throw, and every line is read, passed over or reported (seed ${seed})`, () => {
  const words = fc.constantFrom(
    'create',
    'add',
    'S',
    'hash:ip',
    '10.0.0.1',
    '-exist',
    '"',
    'comment',
    'Name: S',
    'Members:',
  );
  const line = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(words, { maxLength: 5 }).map((all) => all.join(' ')),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 6 }), (lines) => {
      const text = lines.join('\n');
      const count = text.split('\n').length;
      parseIpset(text, (problem) => {
        assert.ok(problem.line >= 1 && problem.line <= count, `line ${problem.line} of ${count}`);
      });
    }),
    runs,
  );
});
