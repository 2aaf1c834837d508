import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { diagnoseNode } from '../../src/doctor/diagnoseNode.ts';
import { readDumps } from '../../src/dump/readDumps.ts';
import type { NodeRules } from '../../src/node/nodeRules.ts';
import { isFailing } from '../../src/report/isFailing.ts';
import { recordedSaves, textOf } from '../diff/diffCase.ts';
import { drawn } from '../support/drawn.ts';
import { recordedNodes } from '../support/recordedNodes.ts';

/** What kube-proxy itself wrote is never wrong, also where rules of another program stand beside it that take nothing. */

function loud(dump: NodeRules, known: readonly string[] = []): string {
  const failing = diagnoseNode(dump).findings.filter((finding) => isFailing(finding) && !known.includes(finding.code));
  return failing.map(({ code, what }) => `${code} ${what}`).join('\n');
}

/** Before 1.19 marks stay; 1.1 neither refuses Services without endpoints nor masquerades a Pod to itself. */
function trueOf({ args }: { readonly args: readonly string[] }): readonly string[] {
  const minor = Number(/--kube-version 1\.(\d+)/.exec(args.join(' '))?.[1]);
  return minor >= 19 ? [] : minor > 1 ? ['K8N404'] : ['K8N404', 'K8N403', 'K8N205'];
}

/** Rules of other programs that make doctor walk, and take nothing that is for a Service. */
const harmless: readonly (readonly [before: RegExp, rules: string])[] = [
  [
    /^-A (?:FORWARD|INPUT) /m,
    '-A FORWARD -s 198.51.100.66/32 -j DROP\n-A INPUT -p tcp -m tcp --dport 3306 -j REJECT\n',
  ],
];

describe('doctor says nothing wrong of', () => {
  it('what kube-proxy of any version writes in iptables mode, alone and beside harmless rules', () => {
    const dumps = recordedSaves().filter(({ name }) => !name.startsWith('large-cluster'));
    assert.ok(dumps.length >= 300, `${dumps.length} dumps`);
    let walked = 0;
    for (const dump of drawn(dumps)) {
      const text = textOf(dump);
      const [before, rules] = harmless[0] as (typeof harmless)[number];
      const own = dump.family === 'ipv6' ? rules.replaceAll('198.51.100.66/32', '2001:db8:9::66/128') : rules;
      const beside = text.replace(before, (line) => own + line);
      if (beside !== text) walked += 1;
      for (const one of new Set([text, beside])) {
        const node = readDumps([{ name: 'a.save', text: one }], { name: 'a', family: dump.family });
        assert.equal(loud(node, trueOf(dump)), '', dump.name);
      }
    }
    assert.ok(walked >= 50, `${walked} walked`);
  });

  it('what it writes in IPVS and nftables mode', () => {
    const nodes = recordedNodes().filter(({ scenario }) => !scenario.startsWith('large-cluster'));
    assert.ok(nodes.length >= 100, `${nodes.length} dumps`);
    for (const { scenario, version, mode, family, files } of drawn(nodes)) {
      const node = readDumps(files, { name: 'a', family });
      assert.equal(loud(node), '', `${scenario} ${version} ${mode} ${family}`);
    }
  });
});
