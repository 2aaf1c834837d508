import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Ajv } from 'ajv';
import { chalkFor, reportStyle } from '../../src/cli/write/style.ts';
import { diffDumps } from '../../src/diff/diffDumps.ts';
import { readDumps } from '../../src/dump/readDumps.ts';
import type { DiffReport } from '../../src/report/diffReport.ts';
import { type ReportForm, renderReport, reportForms } from '../../src/report/renderReport.ts';
import type { ReportContext } from '../../src/report/reportContext.ts';
import { root } from '../support/compileCase.ts';
import { assertGolden } from '../support/golden.ts';
import { hostileReport, sameReport, sampleContext, sampleReport } from './sampleReport.ts';

async function rendered(report: DiffReport, form: ReportForm, context: ReportContext = sampleContext): Promise<string> {
  return [...(await renderReport(report, form, context))].join('');
}

const extensions: Readonly<Record<ReportForm, string>> = {
  text: 'txt',
  unified: 'diff',
  json: 'json',
  github: 'github.txt',
  sarif: 'sarif',
  junit: 'junit.xml',
  html: 'html',
};

describe('forms of a report', () => {
  for (const form of reportForms) {
    it(`${form}: one of everything`, async () => {
      assertGolden(`diff-report/sample.${extensions[form]}`, await rendered(sampleReport, form));
    });

    it(`${form}: nothing differs`, async () => {
      assertGolden(`diff-report/same.${extensions[form]}`, await rendered(sameReport, form));
    });

    it(`${form}: nothing of an input acts on a terminal, a browser or a log`, async () => {
      const text = await rendered(hostileReport, form);
      assert.doesNotMatch(text, /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
      assert.doesNotMatch(text, /^\s*::error::owned/m);
      if (form === 'html' || form === 'junit') assert.doesNotMatch(text, /<script/);
    });
  }

  it('text: colours replace the marks around changed words', async () => {
    const style = reportStyle(chalkFor('always', true, {}));
    const text = await rendered(sampleReport, 'text', { ...sampleContext, style });
    assert.match(text, /\u001b\[31m/);
    assert.doesNotMatch(text, /\[-|\{\+/);
  });

  it('text: prints some rules of very many, and all with -v', async () => {
    const rules = Array.from({ length: 300 }, (_, at) => ({ table: 'nat', chain: 'X', found: `-A X -j C${at}` }));
    const many = { ...sampleReport, changes: rules };
    assert.match(await rendered(many, 'text'), /and 100 more rules \(-v prints all\)/);
    assert.match(await rendered(many, 'text', { ...sampleContext, isVerbose: true }), /-j C299/);
  });

  it('text: a rule in place of another is one line with other words', async () => {
    const rule = (address: string) => `-A X -s ${address}/32 -m comment --comment "a/b" -j KUBE-MARK-MASQ`;
    const at = { table: 'nat', chain: 'X' };
    const changes = [
      { ...at, expected: rule('10.0.0.1') },
      { ...at, expected: rule('10.0.0.2') },
      { ...at, found: '-A X -j RETURN', place: { file: 'f', line: 1 } },
      { ...at, found: rule('10.0.0.9'), place: { file: 'f', line: 2 } },
    ];
    const text = await rendered({ ...sameReport, changes }, 'text');
    assert.match(text, /^ {4}~ -s \[-10\.0\.0\.1\/32-\] \{\+10\.0\.0\.9\/32\+\} -m comment .*\(line 2\)$/m);
    assert.match(text, /^ {4}- -s 10\.0\.0\.2\/32 /m);
    assert.match(text, /^ {4}\+ -j RETURN \(line 1\)$/m);
  });

  it('unified: shows the rules around a change', async () => {
    const rules = Array.from({ length: 9 }, (_, at) => `-A FORWARD -m mark --mark 0x${at + 1} -j ACCEPT`);
    const text = await unifiedOf(rules, rules.with(4, '-A FORWARD -j DROP'));
    assert.equal(text.split('\n').filter((line) => line.startsWith(' ')).length, 6);
    assert.match(text, /^@@ -2,7 \+2,7 @@$/m);
    assert.match(text, /^ .*0x4 .*\n-.*0x5 .*\n\+-A FORWARD -j DROP\n .*0x6 /m);
  });

  it('unified: shows rules in the spelling and the order of the dump where these say nothing', async () => {
    const rules = Array.from({ length: 9 }, (_, at) => `-A FORWARD -d 10.0.0.${at}/32 -p tcp -j ACCEPT`);
    const other = rules.map((rule) => rule.replace(' -j', ' -m comment --comment x -j')).reverse();
    const text = await unifiedOf(rules, [...other.slice(0, 4), ...other.slice(5)]);
    assert.deepEqual(changedIn(text), [`-${rules[4]}`]);
    assert.match(text, /^ .*--comment x/m);
  });

  it('unified: shows a policy beside the rules of its chain, and no change that is known already', async () => {
    const rules = Array.from({ length: 4 }, (_, at) => `-A FORWARD -d 10.0.0.${at}/32 -j ACCEPT`);
    const [before, after] = [dumpOf(rules), dumpOf([...rules, '-A FORWARD -j DROP'], 'DROP')];
    const report = diffDumps(before, after, { level: 'rules', hasForeign: false });
    assert.deepEqual(changedIn(await rendered(report, 'unified')), [
      '-:FORWARD ACCEPT',
      '+:FORWARD DROP',
      '+-A FORWARD -j DROP',
    ]);
    const changes = report.changes.filter(({ expected }) => expected === undefined);
    assert.deepEqual(changedIn(await rendered({ ...report, changes }, 'unified')), ['+-A FORWARD -j DROP']);
  });

  it('unified: shows a chain that has nothing in common as replaced', async () => {
    const at = { table: 'nat', chain: 'X' };
    const changes = Array.from({ length: 5000 }, (_, number) =>
      number % 2 ? { ...at, expected: `-A X -j A${number}` } : { ...at, found: `-A X -j B${number}` },
    );
    const text = await rendered({ ...sameReport, changes }, 'unified');
    assert.match(text, /^--- a\/nat\/X\n\+\+\+ b\/nat\/X\n@@ -1,2500 \+1,2500 @@\n--A X -j A1\n/);
    assert.equal(text.split('\n').length, 3 + 5000 + 1);
  });

  it('json: keeps to its schema', async () => {
    const schema = JSON.parse(readFileSync(join(root, 'schema/diff-output.schema.json'), 'utf8'));
    const validator = new Ajv({ allowUnionTypes: true }).compile(schema);
    const isValid = (value: unknown): boolean => validator(value) as boolean;
    for (const report of [sampleReport, sameReport, hostileReport]) {
      const value = JSON.parse(await rendered(report, 'json')) as { readonly findings: readonly unknown[] };
      assert.ok(isValid(value), JSON.stringify(validator.errors));
      assert.equal(value.findings.length, report.findings.length);
    }
    assert.ok(!isValid({ ...JSON.parse(await rendered(sameReport, 'json')), findings: [{ id: 'x' }] }));
  });

  it('junit and html: every tag is closed', async () => {
    for (const form of ['junit', 'html'] as const) {
      for (const report of [sampleReport, sameReport, hostileReport]) assertClosed(await rendered(report, form));
    }
  });

  it('junit: counts what fails', async () => {
    const text = await rendered(sampleReport, 'junit');
    const [, tests, failures] = /<testsuites name="k8snet" tests="(\d+)" failures="(\d+)"/.exec(text) ?? [];
    assert.equal(Number(tests), text.match(/<testcase /g)?.length);
    assert.equal(Number(failures), text.match(/<failure /g)?.length);
    assert.match(await rendered(sameReport, 'junit'), /tests="1" failures="0"/);
  });

  it('sarif: every result names its rule', async () => {
    const { runs } = JSON.parse(await rendered(sampleReport, 'sarif'));
    const [{ tool, results }] = runs;
    assert.equal(results.length, sampleReport.findings.length + sampleReport.changes.length);
    for (const { ruleId, ruleIndex } of results) assert.equal(tool.driver.rules[ruleIndex].id, ruleId);
  });

  it('github and sarif: names are those of the repository', async () => {
    const finding = {
      ...sampleReport.findings[2],
      found: [{ file: '/ci/repo/a b/node1.save', line: 3 }],
      places: [],
    };
    const report = { ...sameReport, findings: [finding] } as DiffReport;
    const context = { ...sampleContext, baseFolder: '/ci/repo/' };
    assert.match(await rendered(report, 'github', context), /^::error file=a b\/node1\.save,line=3,/);
    assert.match(await rendered(report, 'sarif', context), /"uri":"a%20b\/node1\.save"/);
    assert.match(await rendered(report, 'sarif'), /"uri":"file:\/\/\/ci\/repo\/a%20b\/node1\.save"/);
  });
});

function dumpOf(forward: readonly string[], policy = 'ACCEPT') {
  const text = `*filter\n:FORWARD ${policy} [0:0]\n${forward.map((rule) => `${rule}\n`).join('')}COMMIT\n`;
  return readDumps([{ name: 'node.save', text }], { name: 'node.save' });
}

async function unifiedOf(before: readonly string[], after: readonly string[]): Promise<string> {
  return rendered(diffDumps(dumpOf(before), dumpOf(after), { level: 'rules', hasForeign: false }), 'unified');
}

/** Lines of a patch that only one side has. */
function changedIn(patch: string): readonly string[] {
  return patch.split('\n').filter((line) => /^[-+](?!(?:--|\+\+) )/.test(line));
}

const empty = new Set(['meta', 'br', '!DOCTYPE', '?xml']);

function assertClosed(text: string): void {
  const open: string[] = [];
  for (const [, slash, name = ''] of text.matchAll(/<(\/?)([?!]?[a-zA-Z0-9]+)(?:"[^"]*"|[^"<>])*>/g)) {
    if (slash === '/') assert.equal(open.pop(), name);
    else if (!empty.has(name)) open.push(name);
  }
  assert.deepEqual(open, []);
  assert.equal(text.match(/</g)?.length, text.match(/>/g)?.length);
}
