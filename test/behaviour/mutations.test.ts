import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, it } from 'node:test';
import { compareBehaviour } from '../../src/behaviour/compareBehaviour.ts';
import { mutations } from '../diff/mutations/mutations.ts';
import { recordedFiles, services, twoSides } from './sides.ts';

/** Faults that change text only: no packet on its first way fares otherwise, on a node with open policies. */
const textOnly = new Set([
  'chain with rules is not declared',
  'KUBE-FIREWALL asked twice',
  'rule of KUBE-FIREWALL twice',
  'dead rule at the end of a ladder',
  'service chain and what leads to it under another name',
  'chain that nothing leads to',
  'affinity that is not asked for',
  'KUBE-POSTROUTING keeps the mark',
  'KUBE-POSTROUTING without --random-fully',
  'old rule behind the new ones in KUBE-POSTROUTING',
  'another mark is accepted',
  'marked packets are not accepted',
  'answers are not accepted',
  'INVALID packets pass',
  'FORWARD does not jump',
  'another program writes the mark',
  'rule of a Service twice',
  'rule behind the last one',
  'refusal of what has endpoints',
  'health check is not accepted',
  'no guard of loopback',
  'canary lost',
  'table filter not dumped',
  'chains of Cilium',
  'chains of IPVS mode',
]);

/** Faults that show where the network does: between the node's address and that of another interface. */
const byNetwork = new Set(['external traffic is not masqueraded']);

const scenarios = readdirSync(services).filter(
  (name) => !name.includes('large') && /affinity|etp|ranges|dualstack|endpoints|nodeport|externalip/.test(name),
);

describe('planted faults, by what they do', () => {
  for (const { name, apply } of mutations) {
    if (byNetwork.has(name)) continue;
    it(name, () => {
      let count = 0;
      let different = 0;
      for (const scenario of scenarios) {
        if (count === 2) break;
        const [file] = recordedFiles(scenario, 'iptables', ['iptables.v4.save']);
        const lines = file && apply(file.text.split('\n'));
        if (file === undefined || lines === undefined || !file.text.includes('KUBE-SEP-')) continue;
        const { findings, open } = compareBehaviour(...twoSides([file], [{ ...file, text: lines.join('\n') }]));
        assert.equal(open.length, 0, scenario);
        count += 1;
        if (findings.length > 0) different += 1;
        if (textOnly.has(name)) assert.equal(findings.length, 0, scenario);
      }
      assert.ok(count > 0, 'no dump to plant it in');
      if (!textOnly.has(name)) assert.ok(different > 0, 'nothing differs');
    });
  }
});
