import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { diagnoseDump } from '../../../src/diff/diagnoseDump.ts';
import { diffManifests } from '../../../src/diff/diffManifests.ts';
import { readDumps } from '../../../src/dump/readDumps.ts';
import { noObjectFacts } from '../../../src/findings/checks/objectFacts.ts';
import type { Finding } from '../../../src/findings/finding.ts';
import { compileCase, root } from '../../support/compileCase.ts';

const saved = (mode: string, family: 'v4' | 'v6') =>
  readFileSync(join(root, `golden/recorded/services/dualstack-lb-mixed/${mode}/iptables.${family}.save`), 'utf8');
const without = (text: string, pattern: RegExp) => {
  const lines = text.split('\n').filter((line) => !pattern.test(line));
  assert.notEqual(lines.length, text.split('\n').length);
  return lines.join('\n');
};

async function lostJumps(mode: 'iptables' | 'ipvs', pattern: RegExp) {
  const texts = (['v4', 'v6'] as const).map((family) => without(saved(mode, family), pattern));
  const dump = readDumps(
    texts.map((text, at) => ({ name: `dump${at}`, text })),
    { name: 'node' },
  );
  const { compiled } = await compileCase('services/dualstack-lb-mixed', '--mode', mode);
  assert.ok(compiled);
  const options = { level: 'rules', hasNfacct: false, family: 'both', ...noObjectFacts } as const;
  const jumps = ({ findings }: { readonly findings: readonly Finding[] }) =>
    findings.filter(({ code }) => code === 'K8N207');
  return { diff: jumps(diffManifests(compiled, dump, options)), doctor: jumps(diagnoseDump(dump)) };
}

describe('jumps that were lost together', () => {
  for (const mode of ['iptables', 'ipvs'] as const) {
    it(`are one finding with all of them: ${mode}`, async () => {
      const all = /^-A (?:PREROUTING|INPUT|FORWARD|OUTPUT|POSTROUTING) /;
      const lines = (['v4', 'v6'] as const).flatMap((family) => saved(mode, family).split('\n'));
      const jumps = lines.filter((line) => all.test(line)).length;
      const { diff, doctor } = await lostJumps(mode, all);
      assert.deepEqual([diff.length, doctor.length], [1, 1]);
      assert.equal(diff[0]?.rules?.length, jumps);
      assert.match(
        diff[0]?.what ?? '',
        new RegExp(
          `^PREROUTING of the table nat does not jump to KUBE-SERVICES, and ${jumps - 1} other jumps to kube-proxy’s chains are missing: from .*OUTPUT.* of the table filter, from .*POSTROUTING.* of the table nat$`,
        ),
      );
      assert.match(
        doctor[0]?.what ?? '',
        /^PREROUTING of the table nat does not jump to KUBE-SERVICES, and \d+ other jumps/,
      );
      assert.ok((doctor[0]?.found.length ?? 0) > 2);
    });
  }

  it('are told one by one where they are few', async () => {
    const { diff, doctor } = await lostJumps('iptables', /^-A PREROUTING /);
    assert.deepEqual([diff.length, doctor.length], [2, 2]);
    assert.ok([...diff, ...doctor].every(({ what }) => what.endsWith('does not jump to KUBE-SERVICES')));
  });
});
