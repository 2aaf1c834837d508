import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { RuleChange } from '../../src/compare/ruleChange.ts';
import type { Finding } from '../../src/findings/finding.ts';
import type { DiffReport } from '../../src/report/diffReport.ts';
import { pairChanges } from '../../src/report/forms/pairChanges.ts';
import { readBaseline } from '../../src/report/ignore/readBaseline.ts';
import { suppress } from '../../src/report/ignore/suppress.ts';
import { renderReport, reportForms } from '../../src/report/renderReport.ts';
import { fuzzSeed } from '../support/fuzzSeed.ts';
import { sampleContext } from './sampleReport.ts';

const word = fc.oneof(
  fc.constantFrom(
    '<script>',
    ']]>',
    '&amp;',
    '::error::x',
    '%0A',
    '\u001b[2J',
    '\r\n',
    '\n',
    '\u202e',
    '\ud800',
    '"',
    "'",
    '{+',
    '-A X',
  ),
  fc.string({ unit: 'binary', maxLength: 8 }),
);
const text = fc.array(word, { maxLength: 4 }).map((words) => words.join(' '));
const place = fc.record({ file: text, line: fc.nat(9999) });
const change: fc.Arbitrary<RuleChange> = fc
  .record({
    table: text,
    chain: text,
    sides: fc.constantFrom('both', 'expected', 'found', 'moved'),
    a: text,
    b: text,
    place,
  })
  .map(({ table, chain, sides, a, b, place: at }) => ({
    table,
    chain,
    ...(sides === 'found' ? {} : { expected: a }),
    ...(sides === 'expected' ? {} : { found: sides === 'moved' ? a : b, place: at }),
    ...(sides === 'moved' ? { isMoved: true as const } : {}),
  }));
const finding: fc.Arbitrary<Finding> = fc
  .record({
    code: fc.constantFrom('K8N203' as const, 'K8N501' as const),
    severity: fc.constantFrom('error' as const, 'warning' as const, 'info' as const),
    service: fc.option(text, { nil: undefined }),
    what: text,
    why: text,
    fix: text,
    places: fc.array(
      text.map((file) => ({ file, document: 0, path: [] })),
      { maxLength: 2 },
    ),
    found: fc.array(place, { maxLength: 2 }),
    rules: fc.array(change, { maxLength: 3 }),
    isAdvice: fc.boolean(),
  })
  .map(({ service, ...others }) => (service === undefined ? others : { ...others, service }));
const report: fc.Arbitrary<DiffReport> = fc.record({
  kind: fc.constant('diffReport' as const),
  comparison: fc.constantFrom('manifests' as const, 'dumps' as const, 'doctor' as const, 'nodes' as const),
  expectedName: text,
  foundName: text,
  summary: fc.record({
    services: fc.nat(9),
    same: fc.nat(9),
    missing: fc.nat(9),
    differ: fc.nat(9),
    extra: fc.nat(9),
    staleChains: fc.nat(9),
    foreignRules: fc.nat(9),
  }),
  findings: fc.array(finding, { maxLength: 3 }),
  changes: fc.array(change, { maxLength: 3 }),
  unread: fc.array(fc.record({ file: text, line: fc.nat(9), text, message: text }), { maxLength: 2 }),
  notes: fc.array(text, { maxLength: 2 }),
});

describe('reports of anything', () => {
  for (const form of reportForms) {
    it(`${form}: stays printable, and no line of it is an input's`, async () => {
      await fc.assert(
        fc.asyncProperty(report, async (one) => {
          const printed = [...(await renderReport(one, form, sampleContext))].join('');
          assert.doesNotMatch(printed, /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
          if (form !== 'github') assert.doesNotMatch(printed, /^\s*::/m);
          else
            for (const line of printed.trimEnd().split('\n'))
              assert.match(line, /^(?:::(?:error|warning|notice) |k8snet: )/);
          if (form === 'html' || form === 'junit') assert.doesNotMatch(printed, /<script/);
          if (form === 'json' || form === 'sarif') assert.doesNotThrow(() => JSON.parse(printed));
        }),
        { numRuns: 100, seed: fuzzSeed },
      );
    });
  }

  it('a baseline of a report leaves nothing of it', async () => {
    await fc.assert(
      fc.asyncProperty(report, async (one) => {
        const baseline = readBaseline([...(await renderReport(one, 'json', sampleContext))].join(''));
        assert.ok(typeof baseline !== 'string');
        const left = suppress(one, { ids: new Set(), scopes: [], baseline });
        assert.deepEqual([left.findings.length, left.changes.length], [0, 0]);
      }),
      { numRuns: 100, seed: fuzzSeed },
    );
  });

  it('pairing rules loses none', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
        const sides = (list: readonly RuleChange[]) =>
          list.flatMap(({ expected, found }) => [expected, found].filter((rule) => rule !== undefined)).sort();
        assert.deepEqual(sides(pairChanges(changes)), sides(changes));
      }),
      { seed: fuzzSeed },
    );
  });
});
