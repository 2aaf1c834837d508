import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Diagnostic } from '../../src/diagnostics/diagnostic.ts';
import { load } from '../../src/load/files/load.ts';
import type { FindingCode } from '../../src/problems/problemCode.ts';
import type { DiffReport } from '../../src/report/diffReport.ts';
import { ignoredInManifests } from '../../src/report/ignore/ignoredInManifests.ts';
import { readBaseline } from '../../src/report/ignore/readBaseline.ts';
import { readIgnoreList } from '../../src/report/ignore/readIgnoreList.ts';
import { suppress } from '../../src/report/ignore/suppress.ts';
import type { IgnoreScope } from '../../src/report/ignore/suppressions.ts';
import { unknownFindingText } from '../../src/report/ignore/unknownFindingText.ts';
import { renderReport } from '../../src/report/renderReport.ts';
import { sampleContext, sampleReport } from './sampleReport.ts';

const none = { ids: new Set<FindingCode>(), scopes: [] };

function idsOf({ findings }: DiffReport): readonly string[] {
  return findings.map(({ code, service }) => `${code} ${service ?? 'node'}`);
}

/** The scopes of one file, and what was said about it. */
async function scopesOf(text: string): Promise<{ scopes: readonly IgnoreScope[]; said: readonly Diagnostic[] }> {
  const said: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic) => said.push(diagnostic);
  const { objects, sources } = await load(['-'], { recursive: false, stdin: () => text }, report);
  return { scopes: ignoredInManifests(objects, sources, report), said };
}

async function leftBy(text: string, report: DiffReport = sampleReport): Promise<readonly string[]> {
  const { scopes, said } = await scopesOf(text);
  assert.deepEqual(said, []);
  return idsOf(suppress(report, { ...none, scopes }));
}

function service(name: string, annotation = ''): string {
  const annotations = annotation === '' ? '' : `  annotations: { k8snet.io/ignore: '${annotation}' }\n`;
  return `apiVersion: v1\nkind: Service\nmetadata:\n  name: ${name}\n  namespace: shop\n${annotations}spec: {}\n`;
}

const all = idsOf(sampleReport);

describe('what is ignored', () => {
  it('--ignore: everywhere, and a note says what is not shown', () => {
    const { ids, problems } = readIgnoreList('k8n203, K8N502');
    assert.deepEqual(problems, []);
    const left = suppress(sampleReport, { ...none, ids });
    assert.deepEqual(idsOf(left), ['K8N302 shop/web:http', 'K8N504 node']);
    assert.equal(left.notes.at(-1), '3 findings not shown: 2 × K8N203, K8N502');
    assert.equal(left.summary, sampleReport.summary);
  });

  it('a list with words that are no ids says so', () => {
    assert.deepEqual(readIgnoreList('K8N230 foo').problems.map(unknownFindingText), [
      'K8N230 is not a finding; did you mean K8N203?',
      'foo is not a finding',
    ]);
  });

  it('without suppressions the report stays the same object', () => {
    assert.equal(suppress(sampleReport, none), sampleReport);
  });

  it('an annotation counts for its Service and no other', async () => {
    assert.deepEqual(
      await leftBy(service('web', 'K8N203')),
      all.filter((one) => one !== 'K8N203 shop/web:http'),
    );
    assert.deepEqual(await leftBy(service('web2', 'K8N203')), all);
    assert.deepEqual(await leftBy(service('web', 'K8N504')), all);
  });

  it('an annotation of an EndpointSlice counts for its Service', async () => {
    const slice = `apiVersion: discovery.k8s.io/v1\nkind: EndpointSlice\nmetadata:\n  name: web-1\n  namespace: shop\n  labels: { kubernetes.io/service-name: web }\n  annotations: { k8snet.io/ignore: K8N302 }\naddressType: IPv4\nendpoints: []\n`;
    assert.deepEqual(
      await leftBy(slice),
      all.filter((one) => one !== 'K8N302 shop/web:http'),
    );
  });

  it('an annotation of a Node counts for the node', async () => {
    const node = `apiVersion: v1\nkind: Node\nmetadata:\n  name: n1\n  annotations: { k8snet.io/ignore: K8N504 }\n`;
    assert.deepEqual(
      await leftBy(node),
      all.filter((one) => one !== 'K8N504 node'),
    );
  });

  it('an annotation counts for what points at its object, in a List too', async () => {
    const policy = (name: string, annotations: string) =>
      `  - apiVersion: networking.k8s.io/v1\n    kind: NetworkPolicy\n    metadata: { name: ${name}${annotations} }\n    spec: { podSelector: {} }\n`;
    const list = `apiVersion: v1\nkind: List\nitems:\n${policy('a', '')}${policy('b', ', annotations: { k8snet.io/ignore: K8N905 }')}`;
    const finding = (item: number) => ({
      ...(sampleReport.findings[0] as DiffReport['findings'][number]),
      code: 'K8N905' as const,
      what: `policy ${item}`,
      places: [{ file: '<stdin>', document: 0, path: ['items', item, 'spec', 'podSelector'] }],
    });
    const { scopes } = await scopesOf(list);
    const left = suppress({ ...sampleReport, findings: [finding(0), finding(1)] }, { ...none, scopes });
    assert.deepEqual(
      left.findings.map(({ what }) => what),
      ['policy 0'],
    );
  });

  it('a comment counts for its document', async () => {
    const text = `${service('web')}# k8snet:ignore K8N203\n---\n${service('api')}`;
    assert.deepEqual(
      await leftBy(text),
      all.filter((one) => one !== 'K8N203 shop/web:http'),
    );
  });

  it('a comment before the first document counts for the file, and so does ignore-file', async () => {
    const left = all.filter((one) => !one.startsWith('K8N203'));
    assert.deepEqual(await leftBy(`# k8snet:ignore K8N203\n---\n${service('web')}---\n${service('api')}`), left);
    assert.deepEqual(await leftBy(`${service('web')}---\n${service('api')}# k8snet:ignore-file K8N203\n`), left);
  });

  it('words that are no ids are reported at their line', async () => {
    const { said } = await scopesOf(`${service('web', 'K8N999')}# k8snet:ignore nothing\n`);
    assert.deepEqual(
      said.map(({ code, message }) => `${code}: ${message}`),
      ['unknown-finding: K8N999 is not a finding; did you mean K8N109?', 'unknown-finding: nothing is not a finding'],
    );
    assert.ok(said.every(({ at }) => at[0]?.file === '<stdin>'));
  });

  it('a baseline leaves out what an earlier run named, wherever its lines are now', async () => {
    const earlier = [...(await renderReport(sampleReport, 'json', sampleContext))].join('');
    const baseline = readBaseline(earlier);
    assert.ok(typeof baseline !== 'string');
    const moved = {
      ...sampleReport,
      findings: sampleReport.findings.map((finding) => ({ ...finding, found: [{ file: 'other', line: 1 }] })),
    };
    const left = suppress(moved, { ...none, baseline });
    assert.deepEqual([left.findings.length, left.changes.length], [0, 0]);

    const changed = moved.findings.map((finding, index) =>
      index === 0 ? { ...finding, what: 'something else' } : finding,
    );
    const news = suppress({ ...moved, findings: changed }, { ...none, baseline });
    assert.deepEqual(idsOf(news), ['K8N502 shop/lb:https']);
  });

  it('a baseline without fingerprints is as good', async () => {
    const earlier = JSON.parse([...(await renderReport(sampleReport, 'json', sampleContext))].join(''));
    for (const item of [...earlier.findings, ...earlier.changes]) delete item.fingerprint;
    const baseline = readBaseline(JSON.stringify(earlier));
    assert.ok(typeof baseline !== 'string');
    const left = suppress(sampleReport, { ...none, baseline });
    assert.deepEqual([left.findings.length, left.changes.length], [0, 0]);
  });

  it('what is no baseline is refused in words', () => {
    assert.match(String(readBaseline('*nat\n')), /^is not JSON/);
    assert.match(String(readBaseline('{}')), /^is not a report of k8snet\.diff\/v1/);
    assert.match(String(readBaseline('{"schema":"k8snet.diff/v1"}')), /^has no findings/);
  });
});
