import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { knownVersions } from '../../src/dialect/knownVersions.ts';
import { formatKubeVersion } from '../../src/dialect/version.ts';
import type { RuleTable } from '../../src/node/nodeRules.ts';
import { root } from '../support/compileCase.ts';
import { tablesMade } from './tablesMade.ts';

const inputs = [
  'mixed-random-dual',
  'lb-etp-local-source-ranges',
  'noendpoints-all-types',
  'affinity-clientip',
  'affinity-lb-nodeport',
].map((name) => join(root, 'fixtures/services', name, 'manifests.yaml'));

describe('rules of nftables mode that are made on request', () => {
  for (const known of knownVersions('nftables')) {
    const version = formatKubeVersion(known);
    it(`are all the same, whatever is asked for first, in ${version}`, async () => {
      for (const file of inputs) {
        const made = await tablesMade(file, ['--kube-version', version, '--mode', 'nftables'], 'nft');
        const whole = await made(false);
        const [forward, backward, all] = await Promise.all([made(true), made(true), made(true)]);
        assert.ok(whole.length > 0, file);
        assert.equal(all.length, whole.length);
        for (const [at, { chains, ...rest }] of whole.entries()) {
          const [first, last, listed] = [forward, backward, all].map((tables) => tables[at] as RuleTable) as [
            RuleTable,
            RuleTable,
            RuleTable,
          ];
          const names = [...chains.keys()];
          for (const name of names) assert.deepEqual(first.chains.get(name), chains.get(name), `${file} ${name}`);
          for (const name of names.toReversed()) assert.deepEqual(last.chains.get(name), chains.get(name), name);
          for (const name of ['endpoint-AAAAAAAA-a/b/tcp/c__1.2.3.4/5', 'service-AAAAAAAA-a/b/tcp/c', 'set affinity-x'])
            assert.equal(first.chains.has(name), false, name);
          const { chains: own, ...others } = listed;
          assert.deepEqual(others, rest);
          assert.deepEqual([...own], [...chains]);
          assert.equal(own.size, chains.size);
        }
      }
    });
  }
});
