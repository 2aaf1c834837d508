import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { compilePolicies } from '../../../src/emit/policy/compilePolicies.ts';
import { readPolicyModel } from '../../../src/model/policyModel.ts';
import { readManifests } from '../../policy/readCase.ts';
import { canonicalDump } from './canonicalDump.ts';

/** Dumps of kube-router 2.11 for the same manifests, a node each. */
const root = 'golden/networkpolicy';

for (const name of readdirSync(root)) {
  const model = readPolicyModel(readManifests(`fixtures/networkpolicy/${name}/manifests.yaml`));
  for (const node of ['node-1', 'node-2']) {
    test(`kube-router writes the same for ${name} on ${node}`, () => {
      const recorded = (kind: string) => readFileSync(`${root}/${name}/kube-router/${node}.${kind}`, 'utf8');
      const ours = compilePolicies(
        model,
        // The recordings' service ranges.
        { backends: ['iptables'], node, layout: 'kube-router', serviceCIDRs: ['10.96.0.0/12', 'fd00:10:96::/112'] },
        () => undefined,
      );
      const sets = `${ours.ipsetSave?.v4}${ours.ipsetSave?.v6}`;
      assert.deepEqual(
        canonicalDump(ours.iptablesSave?.v4 ?? '', sets),
        canonicalDump(recorded('iptables'), recorded('ipset')),
      );
      // A node without IPv6 has an empty table there.
      const theirs = canonicalDump(recorded('ip6tables'), recorded('ipset'));
      const v6 = ours.iptablesSave?.v6 || ':INPUT ACCEPT [0:0]\n:FORWARD ACCEPT [0:0]\n:OUTPUT ACCEPT [0:0]\n';
      assert.equal(canonicalDump(v6, sets).rules, theirs.rules);
    });
  }
}
