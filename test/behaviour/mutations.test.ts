import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, it } from 'node:test';
import { compareBehaviour } from '../../src/behaviour/compareBehaviour.ts';
import { mutations } from '../diff/mutations/mutations.ts';
import { recordedFiles, services, twoSides } from './sides.ts';
import { textOnly } from './textOnly.ts';

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
