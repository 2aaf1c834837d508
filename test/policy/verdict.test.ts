import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { test } from 'node:test';
import { readPolicyModel } from '../../src/model/policyModel.ts';
import { familiesOf } from '../../src/policy/familiesOf.ts';
import { findParty, partyIn } from '../../src/policy/parties/findParty.ts';
import { createJudge } from '../../src/policy/verdict.ts';
import { hasServices, readManifests, readProbes } from './readCase.ts';

/** `clusterpolicy`: the scenarios of the API's own conformance tests, with other names. */
const roots = ['fixtures/networkpolicy', 'fixtures/clusterpolicy'];
const cases = roots.flatMap((root) => readdirSync(root).map((name) => `${root}/${name}`));

for (const folder of cases.filter((each) => !hasServices(readProbes(each)))) {
  test(`every probe of ${basename(folder)} gets its expected verdict`, () => {
    const model = readPolicyModel(readManifests(`${folder}/manifests.yaml`));
    const judge = createJudge(model);
    const probes = readProbes(folder);
    assert.ok(probes.length > 0);
    const wrong = probes.filter((probe) => {
      const from = findParty(model, probe.src);
      const to = findParty(model, probe.dst);
      assert.ok(from && to, `${probe.src} and ${probe.dst} exist`);
      const family = probe.family ?? familiesOf(from).find((each) => familiesOf(to).includes(each)) ?? 'ipv4';
      const sender = partyIn(judge, from, family);
      const receiver = partyIn(judge, to, family);
      assert.ok(sender && receiver, `${probe.src} and ${probe.dst} speak ${family}`);
      const { protocol, port } = probe;
      return judge.judge({ from: sender, to: receiver, protocol, port }).isAllowed !== probe.allowed;
    });
    assert.deepEqual(wrong, []);
  });
}
