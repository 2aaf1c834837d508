import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { diffManifests } from '../../src/diff/diffManifests.ts';
import { readDumps } from '../../src/dump/readDumps.ts';
import { noObjectFacts } from '../../src/findings/checks/objectFacts.ts';
import type { DiffReport } from '../../src/report/diffReport.ts';
import { suppress } from '../../src/report/ignore/suppress.ts';
import { isFailing } from '../../src/report/isFailing.ts';
import { type ReportForm, renderReport } from '../../src/report/renderReport.ts';
import { plainReportStyle } from '../../src/report/reportStyle.ts';
import { compileCase, root } from '../support/compileCase.ts';
import { fails, said } from './diffCase.ts';

/** Recorded from 1.30. */
const save = readFileSync(join(root, 'golden/recorded/services/lb-etp-local/iptables/iptables.v4.save'), 'utf8');

async function comparedAs(version: string, text: string, service?: string): Promise<DiffReport> {
  const { compiled } = await compileCase('services/lb-etp-local', '--family', 'ipv4', '--kube-version', version);
  assert.ok(compiled);
  const dump = readDumps([{ name: 'node', text }], { name: 'node' });
  return diffManifests(compiled, dump, { level: 'rules', hasNfacct: false, family: 'ipv4', service, ...noObjectFacts });
}

describe('a dump that another version wrote than the one that was asked for', () => {
  it('is told first, and what only the version makes is counted in one remark', async () => {
    for (const version of ['1.9', '1.16', '1.21', '1.24']) {
      const report = await comparedAs(version, save);
      assert.equal(report.findings[0]?.code, 'K8N109');
      assert.deepEqual(report.findings.filter(isFailing), [], said(report));
      assert.ok(report.changes.length > 0);
      const note = report.notes.find((one) => one.endsWith('(K8N109)')) ?? '';
      assert.match(note, new RegExp(`^\\d+ rules differ only because kube-proxy \\S+, .* than ${version} `));
      assert.equal(Number.parseInt(note, 10), report.changes.length);
      assert.equal(report.summary.same, report.summary.services);
      assert.ok(fails(report));
    }
  });

  it('is folded in every form for people, and whole in the others', async () => {
    const report = await comparedAs('1.21', save);
    assert.ok(report.changes.every(({ explainedBy }) => explainedBy === 'K8N109'));
    const form = async (name: ReportForm, isVerbose = false) => {
      const context = { locate: () => undefined, style: plainReportStyle, isVerbose, toolVersion: '0' };
      return [...(await renderReport(report, name, context))].join('');
    };
    const text = await form('text');
    assert.match(
      text,
      new RegExp(`^${report.changes.length} rules differ by version alone \\(K8N109\\); -v prints them$`, 'm'),
    );
    assert.doesNotMatch(text, /no finding says why|^ +[-+~] /m);
    assert.match(await form('text', true), /by version alone \(K8N109\)\n(?:.*\n)*? +- /);
    assert.doesNotMatch(await form('github'), /no finding says why/);
    assert.doesNotMatch(await form('sarif'), /rule-differs/);
    assert.equal((await form('junit')).match(/<failure/g)?.length, 2);
    assert.match(await form('html'), /<details>\n<summary>\d+ rules that differ by version alone \(K8N109\)/);
    assert.equal((await form('json')).match(/"explainedBy":"K8N109"/g)?.length, report.changes.length);
    assert.match(await form('unified'), /^-.*KUBE-SVL/m);
  });

  it('passes where K8N109 is ignored', async () => {
    const report = await comparedAs('1.21', save);
    const { changes, findings } = suppress(report, { ids: new Set(['K8N109']), scopes: [] });
    assert.deepEqual(changes, []);
    assert.deepEqual(findings.filter(isFailing), []);
    const other = suppress(report, { ids: new Set(['K8N203']), scopes: [] });
    assert.equal(other.changes.length, report.changes.length);
  });

  it('keeps the findings of what is wrong for its own version too', async () => {
    const broken = save.replace(/--to-destination \S+/, '--to-destination 192.0.2.1:1');
    const report = await comparedAs('1.21', broken);
    const failing = report.findings.filter(isFailing);
    assert.deepEqual([...new Set(failing.map(({ code }) => code))], ['K8N203'], said(report));
    assert.ok(report.changes.length > 0);
  });

  it('is no excuse for a dump that differs from every version', async () => {
    const flushed = save.replace(/^-A KUBE-(?:SERVICES|SVC|SVL|EXT|SEP)\S* .*\n/gm, '');
    const report = await comparedAs('1.21', flushed);
    assert.ok(report.findings.some(isFailing));
  });

  it('shows what differs of one Service as findings, since no other rules are shown', async () => {
    const report = await comparedAs('1.21', save, 'default/ingress');
    assert.ok(fails(report), said(report));
  });

  it('is not told where the version is right', async () => {
    const report = await comparedAs('1.30', save.replace(/--to-destination \S+/, '--to-destination 192.0.2.1:1'));
    assert.ok(!report.findings.some(({ code }) => code === 'K8N109'));
  });
});
