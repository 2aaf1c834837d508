import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { diffManifests } from '../../src/diff/diffManifests.ts';
import { readDumps } from '../../src/dump/readDumps.ts';
import { noObjectFacts } from '../../src/findings/checks/objectFacts.ts';
import type { Compiled } from '../../src/pipeline/compile.ts';
import type { DiffReport } from '../../src/report/diffReport.ts';
import { isFailing } from '../../src/report/isFailing.ts';
import { type CaseResult, compileCase } from '../support/compileCase.ts';
import { diffText, said } from './diffCase.ts';

const cases = [
  ['lb-etp-local', '1.30', 'ipv4'],
  ['lb-source-ranges', '1.24', 'ipv4'],
  ['mixed-random-dual', '1.36', 'ipv6'],
] as const;

async function nodeIn(fixture: string, version: string, family: 'ipv4' | 'ipv6') {
  const args = ['--mode', 'ipvs', '--kube-version', version, '--family', family];
  const made = await compileCase(`services/${fixture}`, ...args);
  assert.ok(made.compiled);
  const sets = made.text(`ipset.${family === 'ipv4' ? 'v4' : 'v6'}.save`);
  return { made, sets, compare: (changed: string) => compare(made, family, changed) };
}

/** Of all Services the one with this finding alone differs. */
function assertOf(report: DiffReport, id: string, service: string): void {
  assert.deepEqual(
    report.findings.filter(isFailing).map((finding) => `${finding.code} ${finding.service}`),
    [`${id} ${service}`],
    said(report),
  );
  assert.equal(report.summary.same, report.summary.services - 1);
}

function compare({ compiled, text }: CaseResult, family: 'ipv4' | 'ipv6', sets: string) {
  const short = family === 'ipv4' ? 'v4' : 'v6';
  const texts = [text(`iptables.${short}.save`), sets, text(`ipvsadm.${short}.save`)];
  assert.ok(compiled);
  return diffText(compiled, texts, family);
}

describe('a member of a set of IPVS mode that is missing', () => {
  for (const [fixture, version, family] of cases) {
    it(`is that of its Service, which then differs: ${fixture}`, async () => {
      const { sets, compare: diff } = await nodeIn(fixture, version, family);
      assert.deepEqual(diff(sets).findings.filter(isFailing), []);
      const members = sets.split('\n').filter((line) => line.startsWith('add '));
      const kinds = new Set<string>();
      for (const line of members) {
        const kind = line.split(' ')[1] as string;
        // One of each set, and some more.
        if (kinds.has(kind) && members.length > 40) continue;
        kinds.add(kind);
        const report = diff(sets.replace(`${line}\n`, ''));
        const [finding, ...others] = report.findings.filter(isFailing);
        assert.ok(finding !== undefined && others.length === 0, `${line}\n${said(report)}`);
        assert.equal(finding.code, 'K8N702');
        assert.match(finding.what, /^the set KUBE-\S+ lacks /);
        const isShared = finding.service === undefined;
        // Two Services may have the same Pods.
        assert.ok(!isShared || kind.includes('LOOP-BACK'), line);
        assert.equal(report.summary.same, report.summary.services - (isShared ? 0 : 1), line);
      }
      assert.ok(kinds.size > 2, [...kinds].join());
    });
  }

  it('is that of the very Service port that has the address', async () => {
    const { sets, compare: diff } = await nodeIn('lb-source-ranges', '1.24', 'ipv4');
    const report = diff(sets.replace(/^add KUBE-CLUSTER-IP .*\n/m, ''));
    assertOf(report, 'K8N702', 'default/private:https');
    assert.ok((report.findings.find(isFailing)?.places.length ?? 0) > 0);
  });

  it('is told with all others of its set, where they are many, and their Services differ', async () => {
    const { sets, compare: diff } = await nodeIn('mixed-random-dual', '1.36', 'ipv6');
    for (const changed of [
      sets.replace(/^add KUBE-6-CLUSTER-IP .*\n/gm, ''),
      sets.replace(/^(?:add|create) KUBE-6-CLUSTER-IP .*\n/gm, ''),
    ]) {
      const report = diff(changed);
      const failing = report.findings.filter(isFailing);
      assert.equal(failing.length, 1, said(report));
      assert.equal(failing[0]?.service, undefined);
      assert.ok(report.summary.services > 3);
      assert.equal(report.summary.same, 0);
    }
  });

  it('is of the node alone where it is beyond what Services ask for', async () => {
    const { sets, compare: diff } = await nodeIn('lb-source-ranges', '1.24', 'ipv4');
    const report = diff(`${sets.trimEnd()}\nadd KUBE-CLUSTER-IP 10.96.99.99,tcp:99\n`);
    const failing = report.findings.filter(isFailing);
    assert.deepEqual(
      failing.map(({ code, service }) => `${code} ${service}`),
      ['K8N702 undefined'],
    );
    assert.match(failing[0]?.what ?? '', /holds 10\.96\.99\.99,tcp:99, which no Service asks for/);
    assert.equal(report.summary.same, report.summary.services);
  });
});

describe('what else is of one Service and missing', () => {
  it('is an address of kube-ipvs0', async () => {
    const { made } = await nodeIn('mixed-random-dual', '1.36', 'ipv4');
    assert.ok(made.compiled);
    const addresses = made.text('addresses.v4');
    const [line = ''] = addresses.split('\n').filter((one) => one.includes('10.96.'));
    const ip = /10\.96\.\d+\.\d+/.exec(line)?.[0];
    const texts = ['iptables.v4.save', 'ipset.v4.save', 'ipvsadm.v4.save'].map(made.text);
    const files = [...texts, addresses].map((text, at) => ({ name: at === 3 ? 'addresses.v4' : `dump${at}`, text }));
    const compared = (lost: string) =>
      diffManifests(
        made.compiled as Compiled,
        readDumps(
          files.map(({ name, text }) => ({ name, text: name === 'addresses.v4' ? text.replace(lost, '') : text })),
          { name: 'node', family: 'ipv4' },
        ),
        { level: 'rules', hasNfacct: false, family: 'ipv4', ...noObjectFacts },
      );
    assert.deepEqual(compared('nothing').findings.filter(isFailing), []);
    const report = compared(`${line}\n`);
    const [finding] = report.findings.filter(isFailing);
    assert.equal(`${finding?.code} ${finding?.what}`, `K8N701 kube-ipvs0 lacks ${ip}`);
    assert.ok(finding?.service);
    assert.equal(report.summary.same, report.summary.services - 1);
  });

  it('is an element of a map or set of nftables mode', async () => {
    for (const [fixture, element, id] of [
      ['noendpoints-all-types', /(map no-endpoint-services \{[^}]*elements = \{ )(\S+) [^,}]*,\s*/, 'K8N209'],
      ['lb-source-ranges', /(set cluster-ips \{[^}]*elements = \{ )([^, ]+)(?:, | (?=\}))/, 'K8N702'],
    ] as const) {
      const { compiled, text } = await compileCase(`services/${fixture}`, '--mode', 'nftables', '--family', 'ipv4');
      assert.ok(compiled);
      const whole = text('nft.v4.save');
      const lost = whole.replace(element, '$1');
      assert.notEqual(lost, whole, fixture);
      assert.deepEqual(diffText(compiled, [whole], 'ipv4').findings.filter(isFailing), []);
      const report = diffText(compiled, [lost], 'ipv4');
      const [finding, ...others] = report.findings.filter(isFailing);
      assert.equal(others.length, 0, said(report));
      assert.equal(finding?.code, id);
      assert.notEqual(finding?.service, undefined);
      assert.equal(report.summary.same, report.summary.services - 1);
    }
  });
});
