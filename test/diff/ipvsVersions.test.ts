import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { diagnoseDump } from '../../src/diff/diagnoseDump.ts';
import { diffManifests } from '../../src/diff/diffManifests.ts';
import { readDumps } from '../../src/dump/readDumps.ts';
import { objectFacts } from '../../src/findings/checks/objectFacts.ts';
import { isFailing } from '../../src/report/isFailing.ts';
import { byVersion } from '../support/byVersion.ts';
import { compileCase, root } from '../support/compileCase.ts';
import { drawn } from '../support/drawn.ts';
import { diffText, fails, said } from './diffCase.ts';

describe('a node of every version in IPVS mode against what it was recorded from', () => {
  for (const name of readdirSync(join(root, 'golden/recorded/ipvs-dialects'))) {
    it(name, async () => {
      const fixture = existsSync(join(root, 'fixtures/ipvs-dialects', name)) ? 'ipvs-dialects' : 'services';
      const shown = byVersion(`golden/compiled/ipvs-dialects/${name}`);
      const nodes = [...byVersion(`golden/recorded/ipvs-dialects/${name}`)].flatMap(([version, recorded]) =>
        (['ipv4', 'ipv6'] as const)
          .map((family) => ({ version, recorded, family, short: family.replace('ip', '') }))
          .filter(({ short }) => recorded.has(`iptables.${short}.restore`)),
      );
      assert.ok(nodes.length > 0, 'nothing was recorded');
      for (const { version, recorded, family, short } of drawn(nodes)) {
        const args = ['--kube-version', version, '--mode', 'ipvs', '--family', family];
        const { compiled, manifests } = await compileCase(`${fixture}/${name}`, ...args);
        assert.ok(compiled && manifests);
        const texts = (...files: readonly string[]) =>
          files.flatMap((file) => {
            const text = shown.get(version)?.get(file) ?? recorded.get(file);
            return text === undefined ? [] : [{ name: file, text }];
          });
        // Before July 2020 marks stay.
        const known = ['1.14', '1.16', '1.17', '1.18'].includes(version) ? ['K8N404'] : [];
        const node = [`ipvsadm.${short}.save`, `addresses.${short}`];
        // As the kernel shows it, and as kube-proxy wrote it.
        const forms = [
          texts(`iptables.${short}.save`, `ipset.${short}.save`, ...node),
          [
            { name: 'restore', text: recorded.get(`iptables.${short}.restore`) as string },
            { name: 'sets', text: recorded.get(`ipset.${short}.save`) as string },
            ...texts(...node),
          ],
        ];
        for (const files of forms) {
          const dump = readDumps(files, { name, family });
          const facts = objectFacts(manifests, compiled.model);
          const report = diffManifests(compiled, dump, { level: 'rules', hasNfacct: false, family, ...facts });
          const what = `${version} ${family} ${files[0]?.name}`;
          assert.ok(!fails(report) && report.unread.length === 0, `${what}\n${said(report)}`);
          const { findings } = diagnoseDump(dump);
          const failing = findings.filter((finding) => isFailing(finding) && !known.includes(finding.code));
          assert.deepEqual(
            failing.map(({ code, what }) => `${code} ${what}`),
            [],
            what,
          );
        }
      }
    });
  }
});

describe('a node in IPVS mode that lacks a rule', () => {
  const name = 'ipvs-dialects/mix-sctp-everywhere';
  for (const version of ['1.14', '1.18', '1.20', '1.24', '1.25', '1.36']) {
    it(`is found out, of version ${version}`, async () => {
      const save = byVersion('golden/compiled/ipvs-dialects/mix-sctp-everywhere').get(version)?.get('iptables.v4.save');
      const args = ['--kube-version', version, '--mode', 'ipvs', '--family', 'ipv4'];
      const { compiled } = await compileCase(name, ...args);
      assert.ok(compiled && save);
      const lines = save.split('\n');
      // What is in KUBE-MARK-DROP is kubelet's work; a kernel without xt_ipvs takes no rule that asks for a service.
      const rules = [...lines.entries()].filter(
        ([, line]) => line.startsWith('-A ') && !line.startsWith('-A KUBE-MARK-DROP ') && !line.includes(' -m ipvs '),
      );
      for (const [at, line] of drawn(rules)) {
        const report = diffText(compiled, [lines.filter((_, other) => other !== at).join('\n')], 'ipv4');
        assert.ok(fails(report), `${line} is gone, and nothing is said`);
      }
    });
  }

  it('or lets in more than its source ranges do', async () => {
    const save = byVersion('golden/compiled/ipvs-dialects/mix-sctp-everywhere').get('1.24')?.get('iptables.v4.save');
    const { compiled } = await compileCase(name, '--kube-version', '1.24', '--mode', 'ipvs', '--family', 'ipv4');
    assert.ok(compiled && save);
    const opened = save.replace(/^(?=-A KUBE-FIREWALL )/m, '-A KUBE-FIREWALL -s 192.0.2.0/24 -j RETURN\n');
    const [first] = diffText(compiled, [opened], 'ipv4').findings;
    assert.deepEqual([first?.code, first?.what], ['K8N512', 'KUBE-FIREWALL admits 192.0.2.0/24']);
  });
});

it('virtual servers with their counters alone are not compared', async () => {
  const { compiled, manifests } = await compileCase('services/affinity-clientip', '--mode', 'ipvs');
  assert.ok(compiled && manifests);
  const text = `IP Virtual Server version 1.2.1 (size=4096)
Prot LocalAddress:Port               Conns   InPkts  OutPkts  InBytes OutBytes
  -> RemoteAddress:Port
TCP  10.96.140.1:80                      4       28      24K    3M       11M
  -> 10.244.1.10:8080                    4       28      24K    3M       11M
`;
  const dump = readDumps([{ name: 'stats.txt', text }], { name: 'n' });
  const facts = objectFacts(manifests, compiled.model);
  const report = diffManifests(compiled, dump, { level: 'rules', hasNfacct: false, family: 'ipv4', ...facts });
  assert.ok(!fails(report), said(report));
  assert.ok(report.notes.some((note) => note.includes('shows neither schedulers nor weights')));
  assert.equal(diagnoseDump(dump).summary.services, 1);
});
