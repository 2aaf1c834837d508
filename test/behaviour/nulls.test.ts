import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, it } from 'node:test';
import { compareBehaviour } from '../../src/behaviour/compareBehaviour.ts';
import type { DumpFile } from '../../src/dump/dumpFile.ts';
import { recordedFiles, services, twoSides } from './sides.ts';

/** Rule sets that say the same in other words do the same. */
const scenarios = readdirSync(services).filter((name) => !name.includes('large'));
const few = scenarios.filter((name, at) => at % 4 === 0 || /etp|affinity|ranges|ipvs/.test(name));

describe('the same rules in another form', () => {
  for (const scenario of few) {
    it(scenario, () => {
      let compared = 0;
      for (const family of ['v4', 'v6']) {
        const [save] = recordedFiles(scenario, 'iptables', [`iptables.${family}.save`]);
        const [restore] = recordedFiles(scenario, 'iptables', [`iptables.${family}.restore`]);
        const [listed] = recordedFiles(scenario, 'nftables', [`nft.${family}.save`]);
        const [written] = recordedFiles(scenario, 'nftables', [`nft.${family}.restore`]);
        assert.deepEqual([!restore, !written], [!save, !listed], family);
        if (save && restore) {
          assertSame([save], [restore]);
          assertSame([save], [{ ...save, text: shuffled(save.text) }]);
          compared += 1;
        }
        if (listed && written) assertSame([listed], [written]);
      }
      assert.ok(compared > 0, 'nothing was recorded');
    });
  }
});

function assertSame(a: readonly DumpFile[], b: readonly DumpFile[]): void {
  const { findings, open, classes } = compareBehaviour(...twoSides(a, b));
  assert.deepEqual([findings.length, open.length], [0, 0], `${a[0]?.name} against ${b[0]?.name}`);
  assert.ok(classes > 0);
}

/** Chains of a table in the opposite order. */
function shuffled(text: string): string {
  const lines: string[] = [];
  let chains = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const chain = /^-A (\S+)/.exec(line)?.[1];
    if (chain !== undefined) chains.set(chain, [...(chains.get(chain) ?? []), line]);
    else if (line === 'COMMIT') {
      lines.push(...[...chains.values()].reverse().flat(), line);
      chains = new Map();
    } else lines.push(line);
  }
  return lines.join('\n');
}
