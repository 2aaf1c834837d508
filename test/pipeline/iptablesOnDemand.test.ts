import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { knownVersions } from '../../src/dialect/knownVersions.ts';
import { formatKubeVersion } from '../../src/dialect/version.ts';
import { serviceChainKind } from '../../src/netfilter/proxyChains.ts';
import { eachChain, sharedChains } from '../../src/node/chains/eachChain.ts';
import type { RuleTable } from '../../src/node/nodeRules.ts';
import { root } from '../support/compileCase.ts';
import { tablesMade } from './tablesMade.ts';

const inputs = ['mixed-random-dual', 'lb-etp-local-source-ranges', 'noendpoints-all-types'].map((name) =>
  join(root, 'fixtures/services', name, 'manifests.yaml'),
);

describe('rules of iptables mode that are made on request', () => {
  for (const known of knownVersions('iptables')) {
    const version = formatKubeVersion(known);
    it(`are all the same, whatever is asked for first, in ${version}`, async () => {
      for (const file of inputs) {
        const made = await tablesMade(file, ['--kube-version', version], 'iptables');
        const whole = await made(false);
        const [byName, byKind, byShare, all] = await Promise.all([1, 2, 3, 4].map(() => made(true)));
        assert.ok(byName && byKind && byShare && all);
        for (const [at, { name, chains }] of whole.entries()) {
          const table = (tables: readonly RuleTable[]) => tables[at] as RuleTable;
          const named = table(byName);
          const chosen = table(byKind);
          const listed = table(all);
          assert.equal(named.name, name);
          // Chains of endpoints come between those of Services that lead to them.
          const names = [...chains.keys()].sort();
          for (const own of names) assert.deepEqual(named.chains.get(own), chains.get(own), `${file} ${own}`);
          assert.equal(named.chains.get('KUBE-SEP-AAAAAAAAAAAAAAAA'), undefined);
          assert.deepEqual(
            [...eachChain(chosen, sharedChains)],
            [...chains.values()].filter((chain) => serviceChainKind(chain.name) === undefined),
          );
          const isBalance = (kind: string | undefined) => kind === 'balance';
          assert.deepEqual(
            [...eachChain(chosen, { kinds: isBalance })],
            [...chains.values()].filter(({ name: own }) => isBalance(serviceChainKind(own) ?? 'balance')),
          );
          const isShare = (kind: string | undefined) => kind === 'balance' || kind === 'endpoint';
          assert.deepEqual(
            new Set(eachChain(table(byShare), { kinds: isShare })),
            new Set([...chains.values()].filter(({ name: own }) => isShare(serviceChainKind(own) ?? 'balance'))),
          );
          assert.deepEqual([...listed.chains], [...chains]);
          assert.equal(listed.chains.size, chains.size);
        }
      }
    });
  }
});
