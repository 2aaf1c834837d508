import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isFailing } from '../../src/report/isFailing.ts';
import { compileCase } from '../support/compileCase.ts';
import { drawn } from '../support/drawn.ts';
import { diffText, fails, wholeNode } from './diffCase.ts';

/** A node that lost one line of what kube-proxy wrote, whichever: `diff` misses it, and a finding says what that means. */
const nodes: readonly (readonly [fixture: string, mode: string, version: string])[] = [
  ['lb-etp-local-source-ranges', 'iptables', '1.36'],
  ['lb-etp-local-source-ranges', 'iptables', '1.22'],
  ['lb-etp-local-source-ranges', 'iptables', '1.10'],
  ['lb-etp-local-source-ranges', 'ipvs', '1.34'],
  ['lb-etp-local-source-ranges', 'ipvs', '1.20'],
  ['lb-etp-local-source-ranges', 'nftables', '1.36'],
  ['lb-etp-local-source-ranges', 'nftables', '1.31'],
  ['policy-both-local', 'iptables', '1.18'],
  ['policy-both-local', 'ipvs', '1.27'],
  ['noendpoints-all-types', 'iptables', '1.30'],
  ['noendpoints-all-types', 'nftables', '1.29'],
];

/** Rules, members of sets, virtual servers and their servers; of nft rules and elements that share no line with others. */
const oneThing = /^(?:-A|add|-a) |^\t\t(?!type|comment|size|flags|elements)\S(?:.*[^{},])?$/;

describe('a line less', () => {
  for (const [fixture, mode, version] of nodes) {
    it(`is missed and explained: ${fixture}, ${mode} ${version}`, async () => {
      const { files, diff } = await wholeNode(fixture, mode, version);
      assert.ok(!fails(diff(files)));
      const all = files.flatMap((file) =>
        file.text.split('\n').flatMap((line, at, lines) =>
          // Without its server, nothing is left of a virtual one to be read.
          oneThing.test(line) && !/^-A -[tu]/.test(line) ? [{ file, line, at, lines }] : [],
        ),
      );
      assert.ok(all.length > 20, `${all.length} lines`);
      for (const { file, line, at, lines } of drawn(all)) {
        const text = lines.filter((_, index) => index !== at).join('\n');
        const report = diff(files.map((one) => (one === file ? { ...file, text } : one)));
        const isKernels = /KUBE-IPVS-OUT-FILTER/.test(line);
        assert.ok(fails(report) || isKernels, `not missed: ${line}`);
        assert.deepEqual(report.changes, [], `no finding says why: ${line}`);
      }
    });
  }
});

describe('the only rule of a Service', () => {
  it('is missed, although packets from outside are refused anyway', async () => {
    const args = ['--mode', 'iptables', '--kube-version', '1.18', '--family', 'ipv4'];
    const { compiled } = await compileCase('services/mixed-random-dual', ...args);
    assert.ok(compiled);
    const { files } = await wholeNode('mixed-random-dual', 'iptables', '1.18');
    const { text: whole } = files.find(({ name }) => name === 'iptables.v4.save') ?? assert.fail();
    const only = /^-A (KUBE-SVC-\w+) -m comment --comment "prod\/svc-17:p0" -j KUBE-SEP-\w+\n/m;
    const [line = '', chain] = only.exec(whole) ?? [];
    const report = diffText(compiled, [whole.replace(line, '')], 'ipv4');
    assert.deepEqual(
      report.findings.filter(isFailing).map(({ code, service, what }) => `${code} ${service}: ${what}`),
      [`K8N204 prod/svc-17:p0: ${chain} sends nothing to 10.244.1.120:9000`],
    );
  });
});
