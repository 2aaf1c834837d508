import fc from 'fast-check';
import type {
  MatchStatement,
  NftElement,
  NftRule,
  Selector,
  Statement,
  Verdict,
} from '../../../src/netfilter/nft/ast.ts';

const chainName = fc.stringMatching(/^[a-z][a-zA-Z0-9_./-]{0,20}$/);
const number = fc.integer({ min: 0, max: 65_535 });
const ipv4 = fc.ipV4();
const mark = fc.integer({ min: 0, max: 0xffffffff }).map((value) => `0x${value.toString(16).padStart(8, '0')}`);
const interfaceName = fc.stringMatching(/^[a-z][a-z0-9]{0,8}\*?$/);
const text = fc.stringMatching(/^[ -!#-~]{0,30}$/);
const milliseconds = fc.integer({ min: 1, max: 1_000_000 }).map((seconds) => seconds * 1000);

const arbitraryVerdict: fc.Arbitrary<Verdict> = fc.oneof(
  fc.constantFrom('accept', 'drop', 'return', 'continue').map((kind) => ({ kind })),
  fc.record({ kind: fc.constantFrom('jump', 'goto'), chain: chainName }),
);

const source: Selector = { kind: 'payload', protocol: 'ip', field: 'saddr' };
const destination: Selector = { kind: 'payload', protocol: 'ip', field: 'daddr' };
const port: Selector = { kind: 'payload', protocol: 'th', field: 'dport' };
const markSelector: Selector = { kind: 'meta', key: 'mark' };
const state: Selector = { kind: 'ct', key: 'state' };
const triple: Selector = { kind: 'concat', parts: [destination, { kind: 'meta', key: 'l4proto' }, port] };
const operator = fc.constantFrom('==', '!=', '<', '>', '<=', '>=');

const prefix = fc.tuple(ipv4, fc.integer({ min: 0, max: 32 })).map(([ip, length]) => `${ip}/${length}`);
const addressWord = fc.oneof(ipv4, prefix);

const arbitraryMatch: fc.Arbitrary<MatchStatement> = fc.oneof(
  fc.record({
    kind: fc.constant('match'),
    left: fc.constantFrom(source, destination),
    operator,
    right: fc.oneof(
      addressWord.map((word) => ({ kind: 'value' as const, key: [word] })),
      chainName.map((name) => ({ kind: 'namedSet' as const, name })),
      fc
        .array(addressWord, { minLength: 2, maxLength: 5 })
        .map((words) => ({ kind: 'anonymousSet' as const, elements: words.map((word) => [word]) })),
    ),
  }),
  fc.record({
    kind: fc.constant('match'),
    left: fc.constantFrom<Selector>({ kind: 'meta', key: 'iifname' }, { kind: 'meta', key: 'iif' }),
    operator: fc.constantFrom('==', '!='),
    right: interfaceName.map((name) => ({ kind: 'value' as const, key: [name] })),
  }),
  fc.record({
    kind: fc.constant('match'),
    left: fc.constant(markSelector),
    mask: mark,
    operator: fc.constantFrom('==', '!='),
    right: mark.map((value) => ({ kind: 'value' as const, key: [value] })),
  }),
  fc.record({
    kind: fc.constant('match'),
    left: fc.constant(state),
    operator: fc.constant('=='),
    right: fc
      .uniqueArray(fc.constantFrom('new', 'established', 'related'), { minLength: 2 })
      .map((values) => ({ kind: 'list' as const, values })),
  }),
  fc.record({
    kind: fc.constant('match'),
    left: fc.constant(triple),
    operator: fc.constant('=='),
    right: fc.tuple(ipv4, number).map(([ip, at]) => ({ kind: 'value' as const, key: [ip, 'tcp', String(at)] })),
  }),
);

export const arbitraryElement: fc.Arbitrary<NftElement> = fc
  .tuple(
    fc.record({ key: fc.tuple(ipv4, fc.constantFrom('tcp', 'udp'), number.map(String)) }),
    fc.record({ comment: text, timeout: milliseconds, verdict: arbitraryVerdict }, { requiredKeys: [] }),
  )
  // Cloned: fast-check makes some records without a prototype.
  .map(([required, optional]) => structuredClone({ ...required, ...optional }));

const arbitraryStatement: fc.Arbitrary<Statement> = fc.oneof(
  arbitraryMatch,
  arbitraryVerdict.map((verdict) => ({ kind: 'verdict' as const, verdict })),
  fc.record({
    kind: fc.constant('vmap'),
    key: fc.constant(triple),
    map: fc.oneof(
      chainName.map((name) => ({ kind: 'namedMap' as const, name })),
      fc
        .array(
          fc.tuple(number, arbitraryVerdict).map(([key, verdict]) => ({ key: [String(key)], verdict })),
          { minLength: 1, maxLength: 4 },
        )
        .map((elements) => ({ kind: 'anonymousMap' as const, elements })),
    ),
  }),
  fc.record({
    kind: fc.constant('assign'),
    target: fc.constant(markSelector),
    operation: fc.constantFrom('=', '|', '&', '^'),
    value: mark,
  }),
  fc.record({
    kind: fc.constant('nat'),
    action: fc.constantFrom('dnat', 'snat'),
    address: fc.oneof(ipv4, fc.constant('fd00:10::1')),
    port: number.map(String),
    flags: fc.uniqueArray(fc.constantFrom('random', 'persistent')),
  }),
  fc
    .record({
      values: fc.array(fc.tuple(ipv4, number.map(String)), { minLength: 1, maxLength: 4 }),
      hasPort: fc.boolean(),
    })
    .map(({ values, hasPort }): Statement => {
      const elements = values.map((value, at) => ({ key: [String(at)], value: hasPort ? value : value.slice(0, 1) }));
      const key: Selector = { kind: 'numgen', mode: 'random', modulus: elements.length };
      return {
        kind: 'nat',
        action: 'dnat',
        family: 'ip',
        lookup: { key, map: { kind: 'anonymousMap', elements } },
        flags: [],
      };
    }),
  fc.record({
    kind: fc.constant('nat'),
    action: fc.constant('masquerade'),
    flags: fc.constantFrom([], ['fully-random']),
  }),
  fc.record({ kind: fc.constant('reject'), with: fc.constantFrom('tcp reset', 'icmp host-unreachable') }),
  fc.constant<Statement>({ kind: 'reject' }),
  fc.record({
    kind: fc.constant('setUpdate'),
    operation: fc.constantFrom('add', 'update', 'delete'),
    set: chainName,
    key: fc.constant(source),
    timeout: milliseconds,
  }),
  fc.record({ kind: fc.constant('counter'), packets: number, bytes: number }),
  fc.constant<Statement>({ kind: 'counter' }),
  fc.record({
    kind: fc.constant('limit'),
    isOver: fc.boolean(),
    rate: number,
    per: fc.constantFrom('second', 'minute'),
    burst: number,
    burstUnit: fc.constant('packets'),
  }),
  fc.record({ kind: fc.constant('log'), prefix: text, group: number }, { requiredKeys: ['kind'] }),
  fc.constant<Statement>({ kind: 'notrack' }),
);

/** Rules made of every statement that is understood. */
export const arbitraryRule: fc.Arbitrary<NftRule> = fc
  .tuple(
    fc.array(arbitraryStatement, { minLength: 1, maxLength: 6 }),
    fc.record({ comment: text }, { requiredKeys: [] }),
  )
  .map(([statements, optional]) => structuredClone({ statements, ...optional }));
