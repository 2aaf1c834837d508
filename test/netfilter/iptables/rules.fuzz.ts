import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Match, Rule, Target, Word } from '../../../src/netfilter/iptables/ast.ts';
import { canonicalIptablesRule } from '../../../src/netfilter/iptables/canonical.ts';
import { printRuleset } from '../../../src/netfilter/iptables/print/print.ts';
import { printRule } from '../../../src/netfilter/iptables/print/printRule.ts';
import { parseIptables } from '../../../src/netfilter/iptables/read/parse.ts';
import { parseRule } from '../../../src/netfilter/iptables/read/parseRule.ts';
import { fuzzSeed as seed } from '../../support/fuzzSeed.ts';

const runs = { seed, numRuns: 2000 };

test(`what is printed for iptables-restore reads back as it was (seed ${seed})`, () => {
  fc.assert(
    fc.property(rules(), (rule) => {
      assert.deepEqual(read(printRule(rule, 'restore', 'ipv4')), rule);
    }),
    runs,
  );
});

test(`what is saved reads back as the same canonical rule, and is canonical (seed ${seed})`, () => {
  fc.assert(
    fc.property(rules(), fc.constantFrom('ipv4' as const, 'ipv6' as const), (rule, family) => {
      const canonical = canonicalIptablesRule(rule, family);
      assert.deepEqual(canonicalIptablesRule(canonical, family), canonical);
      const saved = printRule(rule, 'save', family);
      assert.deepEqual(canonicalIptablesRule(read(saved), family), canonical);
      assert.equal(printRule(read(saved), 'save', family), saved);
    }),
    runs,
  );
});

test(`changed lines never throw, and what reads prints back (seed ${seed})`, () => {
  fc.assert(
    fc.property(fc.constantFrom(...knownLines()), fc.array(changes(), { maxLength: 6 }), (line, edits) => {
      const changed = edits.reduce((text, edit) => edit(text), line);
      const parsed = parseRule(changed);
      if (parsed.kind === 'problem') {
        assert.ok(parsed.column >= 1 && parsed.column <= changed.length + 1);
        return;
      }
      const written = printRule(parsed.rule, 'restore', 'ipv4');
      assert.deepEqual(read(written), parsed.rule, changed);
      assert.doesNotMatch(printRule(parsed.rule, 'save', 'ipv6'), /\n/);
    }),
    { ...runs, numRuns: 5000 },
  );
});

test(`texts of any lines never throw (seed ${seed})`, () => {
  const line = fc.oneof(
    fc.constantFrom(
      '*nat',
      'COMMIT',
      ':X - [0:0]',
      '-F',
      '-X X',
      '-N Y',
      '-P INPUT DROP -c 1 2',
      '$ iptables -S',
      '--',
    ),
    fc.constantFrom(...knownLines()),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(line), fc.constantFrom('\n', '\r\n', ' \\\n'), (lines, end) => {
      const ruleset = parseIptables(lines.join(end), {}, ({ line, column }) =>
        assert.ok(line >= 1 && (column ?? 1) >= 1),
      );
      const saved = [...printRuleset(ruleset, 'save')].join('');
      const again = parseIptables(saved, { family: ruleset.family }, (problem) => assert.fail(JSON.stringify(problem)));
      assert.equal([...printRuleset(again, 'save')].join(''), saved);
    }),
    { ...runs, numRuns: 500 },
  );
});

function rules(): fc.Arbitrary<Rule> {
  return fc
    .record({
      chain: name(),
      words: fc.array(fc.oneof(headers(), matches()), { maxLength: 6 }),
      target: fc.option(targets(), { nil: undefined }),
    })
    .map(({ chain, words, target }) => plain(target ? { chain, words, target } : { chain, words }));
}

/** fast-check makes objects without a prototype, a parser makes ordinary ones. */
function plain(rule: Rule): Rule {
  return JSON.parse(JSON.stringify(rule)) as Rule;
}

function headers(): fc.Arbitrary<Word> {
  return fc.oneof(
    negatable({ kind: fc.constantFrom('source' as const, 'destination' as const), address: address() }),
    negatable({ kind: fc.constantFrom('inInterface' as const, 'outInterface' as const), name: name() }),
    negatable({ kind: fc.constant('protocol' as const), protocol: fc.constantFrom('tcp', 'UDP', '6', 'all', '253') }),
    negatable({ kind: fc.constant('fragment' as const) }),
  ) as fc.Arbitrary<Word>;
}

function matches(): fc.Arbitrary<Match> {
  const port = fc.constantFrom('80', 'http', '1:2', ':5', '5:', '0:65535', '7:7');
  return fc.oneof(
    fc.record({ kind: fc.constant('comment'), text: text() }),
    fc.record({ kind: fc.constant('comment'), text: name(), isBare: fc.constant(true) }),
    fc.record(
      {
        kind: fc.constant('transport'),
        protocol: fc.constantFrom('tcp', 'udp', 'sctp'),
        destinationPort: port,
        sourcePort: port,
      },
      { requiredKeys: ['kind', 'protocol'] },
    ),
    negatable({ kind: fc.constant('mark'), value: uint32(), mask: uint32() }),
    negatable({ kind: fc.constant('statistic'), mode: fc.constant('random'), probability: probability() }),
    negatable({ kind: fc.constant('statistic'), mode: fc.constant('nth'), every: fc.nat(), packet: fc.nat() }),
    fc.record(
      {
        kind: fc.constant('recent'),
        action: fc.constantFrom('set', 'rcheck', 'update', 'remove'),
        negated: fc.constant(true),
        name: name(),
        seconds: fc.nat(),
        isReaping: fc.constant(true),
        hitcount: fc.nat(),
        hasTtl: fc.constant(true),
        side: fc.constantFrom('rsource', 'rdest'),
      },
      { requiredKeys: ['kind', 'action', 'name'] },
    ),
    negatable({ kind: fc.constant('set'), set: name(), sides: fc.constantFrom(['src'], ['dst', 'dst']) }),
    fc.record({ kind: fc.constant('nfacct'), name: name() }),
    typedOptions(
      'conntrack',
      fc.record({ name: fc.constant('ctstate'), states: fc.constantFrom(['NEW'], ['RELATED', 'NEW'], ['DNAT']) }),
      fc.record({ name: fc.constant('ctstatus'), statuses: fc.constantFrom(['NONE'], ['SEEN_REPLY', 'ASSURED']) }),
    ),
    typedOptions(
      'addrtype',
      fc.record({
        name: fc.constantFrom('src-type', 'dst-type'),
        types: fc.constantFrom(['LOCAL'], ['LOCAL', 'UNICAST'], ['BROADCAST']),
      }),
    ),
    typedOptions(
      'physdev',
      fc.record({ name: fc.constantFrom('physdev-is-in', 'physdev-is-bridged') }),
      fc.record({ name: fc.constantFrom('physdev-in', 'physdev-out'), port: fc.constantFrom('veth0', 'veth+') }),
    ),
    fc.record({
      kind: fc.constant('other'),
      name: fc.constantFrom('multiport', 'limit', 'hashlimit', 'u32', 'time', 'iprange', 'connlimit'),
      options: fc.constant([]),
    }),
    fc.record({
      kind: fc.constant('other'),
      name: fc.constant('limit'),
      options: options(fc.constant('limit'), rate()),
    }),
    fc.record({
      kind: fc.constant('other'),
      name: fc.constant('hashlimit'),
      options: options(fc.constant('hashlimit-upto'), rate()),
    }),
    fc.record({ kind: fc.constant('other'), name: fc.constant('nobody-knows'), options: options(name(), name()) }),
  ) as fc.Arbitrary<Match>;
}

function targets(): fc.Arbitrary<Target> {
  return fc.oneof(
    fc.record({ kind: fc.constant('jump'), chain: fc.constantFrom('ACCEPT', 'DROP', 'KUBE-SVC-X', 'a/b') }),
    fc.record({ kind: fc.constant('jump'), chain: name(), isGoto: fc.constant(true) }),
    fc.record(
      { kind: fc.constant('reject'), with: fc.constantFrom('tcp-reset', 'port-unreach') },
      { requiredKeys: ['kind'] },
    ),
    fc.record({ kind: fc.constant('mark'), operation: fc.constantFrom('or', 'and', 'xor'), value: uint32() }),
    fc.record(
      { kind: fc.constant('mark'), operation: fc.constantFrom('set', 'set-xmark'), value: uint32(), mask: uint32() },
      { requiredKeys: ['kind', 'operation', 'value'] },
    ),
    fc.record({ kind: fc.constant('masquerade'), isRandomFully: fc.constant(true) }, { requiredKeys: ['kind'] }),
    fc.record({
      kind: fc.constantFrom('dnat', 'snat'),
      to: fc.oneof(address(), fc.constantFrom('[FD00::0]:80-80', ':80')),
    }),
    fc.record({
      kind: fc.constant('other'),
      name: fc.constant('LOG'),
      options: options(fc.constant('log-prefix'), text()),
    }),
    fc.record({
      kind: fc.constant('other'),
      name: fc.constant('CONNMARK'),
      options: fc.constant([{ name: 'save-mark', values: [] }]),
    }),
  ) as fc.Arbitrary<Target>;
}

function options(names: fc.Arbitrary<string>, values: fc.Arbitrary<string>) {
  const option = negatable({ name: names, values: fc.tuple(values) });
  return fc.uniqueArray(option, { minLength: 1, maxLength: 2, selector: (one) => (one as { name: string }).name });
}

/** A match that is nothing but its options. */
function typedOptions(kind: string, ...choices: readonly fc.Arbitrary<object>[]) {
  const option = fc
    .tuple(fc.oneof(...choices), fc.boolean())
    .map(([plain, negated]) => (negated ? { ...plain, negated } : plain));
  const selector = (one: object) => (one as { name: string }).name;
  return fc.record({
    kind: fc.constant(kind),
    options: fc.uniqueArray(option, { minLength: 1, maxLength: 2, selector }),
  });
}

/** With or without `negated: true`. */
function negatable(model: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<object> {
  return fc.tuple(fc.record(model), fc.boolean()).map(([plain, negated]) => (negated ? { ...plain, negated } : plain));
}

function name(): fc.Arbitrary<string> {
  return fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_./:'\\-]{0,20}$/);
}

/** Anything that fits on a line. */
function text(): fc.Arbitrary<string> {
  return fc.string({ unit: 'grapheme' }).map((any) => any.replace(/[\0\r\n]/g, ' '));
}

function address(): fc.Arbitrary<string> {
  return fc.oneof(
    fc.ipV4(),
    fc.ipV4Extended(),
    fc.ipV6(),
    fc.tuple(fc.ipV4(), fc.nat(40)).map(([host, length]) => `${host}/${length}`),
    fc.tuple(fc.ipV6(), fc.nat(130)).map(([host, length]) => `${host}/${length}`),
    fc.tuple(fc.ipV4(), fc.ipV4()).map(([host, mask]) => `${host}/${mask}`),
    name(),
  );
}

function probability(): fc.Arbitrary<string> {
  return fc.oneof(
    fc.integer({ min: 1, max: 100_000 }).map((n) => (1 / n).toFixed(10)),
    fc.integer({ min: 0, max: 2 ** 31 }).map((share) => String(share / 2 ** 31)),
    name(),
  );
}

function rate(): fc.Arbitrary<string> {
  return fc
    .tuple(fc.nat(20_000), fc.constantFrom('', '/s', '/min', '/hour', '/day', '/second', 'kb/s'))
    .map(([n, unit]) => n + unit);
}

function uint32(): fc.Arbitrary<number> {
  return fc.oneof(fc.constantFrom(0, 0x4000, 0xffffffff), fc.integer({ min: 0, max: 0xffffffff }));
}

type Edit = (text: string) => string;

function changes(): fc.Arbitrary<Edit> {
  const place = fc.double({ min: 0, max: 1, noNaN: true });
  const inserted = fc.oneof(
    fc.constantFrom(
      ' ',
      '"',
      '\\',
      '!',
      ' ! ',
      '-',
      '--',
      '=',
      ' -m ',
      ' -j ',
      '\t',
      "'",
      ' --dport ',
      ' -p tcp ',
      ' -c 1 2 ',
    ),
    fc.string({ maxLength: 3 }).map((any) => any.replace(/[\0\r\n]/g, ' ')),
  );
  return fc.oneof(
    fc.tuple(place, inserted).map(
      ([at, what]): Edit =>
        (line) =>
          line.slice(0, at * line.length) + what + line.slice(at * line.length),
    ),
    fc.tuple(place, fc.nat(6)).map(
      ([at, count]): Edit =>
        (line) => {
          const from = Math.floor(at * line.length);
          return line.slice(0, from) + line.slice(from + count);
        },
    ),
    fc.tuple(place, place).map(
      ([from, to]): Edit =>
        (line) => {
          const words = line.split(' ');
          const [moved = ''] = words.splice(Math.floor(from * words.length), 1);
          words.splice(Math.floor(to * words.length), 0, moved);
          return words.join(' ');
        },
    ),
  );
}

function knownLines(): readonly string[] {
  return readFileSync('fixtures/normal-forms/normal-forms.tsv', 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((row) => row.split('\t')[4] ?? '');
}

function read(line: string): Rule {
  const parsed = parseRule(line);
  if (parsed.kind === 'problem') {
    assert.fail(`${line}: ${parsed.message} at ${parsed.column}`);
  }
  return parsed.rule;
}
