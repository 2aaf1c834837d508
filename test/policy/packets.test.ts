import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { readPolicyModel } from '../../src/model/policyModel.ts';
import { kernelTests } from '../kernel/requirements.ts';
import { drawn } from '../support/drawn.ts';
import { backends, loadIptables, loadNftables, withoutRules } from './loadPolicies.ts';
import { openPolicyLab } from './policyLab.ts';
import { hasServices, readManifests, readProbes } from './readCase.ts';

/** Packets through a real kernel: every probe of every case, with the rules of every back end. */
const root = 'fixtures/networkpolicy';
const test = kernelTests(['nft', 'iptables-nft', 'ipset']);
const cases = ['fixtures/networkpolicy', 'fixtures/clusterpolicy']
  .flatMap((each) => readdirSync(each).map((name) => `${each}/${name}`))
  .filter((folder) => !hasServices(readProbes(folder)));

for (const folder of cases) {
  test(`packets meet the expected verdicts of ${basename(folder)}, by every back end`, async () => {
    const model = readPolicyModel(readManifests(`${folder}/manifests.yaml`));
    const { lab, wrongProbes } = await openPolicyLab(model, readProbes(folder));
    try {
      for (const [backend, load] of drawn(Object.entries(backends))) {
        await withoutRules(lab, model);
        await load(lab, model);
        assert.deepEqual(await wrongProbes(), [], backend);
      }
    } finally {
      await lab.close();
    }
  });
}

/**
 * What depends on the tool and on how pods are wired, by few cases: both families, ranges, two nodes, SCTP. All is loaded twice:
 * the second load replaces the first.
 */
const legacyTest = kernelTests(['iptables-legacy', 'ipset']);
const bridgeTest = kernelTests(['nft', 'iptables-nft', 'ipset', 'bridge-netfilter']);
const some = ['own-12-ipblock-multi-except', 'own-14-two-nodes', 'own-15-dual-stack', 'post-09-sctp'];

for (const name of some) {
  legacyTest(`packets meet the expected verdicts of ${name}, with legacy tables`, async () => {
    const model = readPolicyModel(readManifests(`${root}/${name}/manifests.yaml`));
    const { lab, wrongProbes } = await openPolicyLab(model, readProbes(`${root}/${name}`));
    const tools = mkdtempSync(join(tmpdir(), 'k8snet-tools-'));
    try {
      for (const end of ['', '-save', '-restore']) {
        for (const tool of ['iptables', 'ip6tables']) {
          symlinkSync(`/usr/sbin/${tool}-legacy${end}`, join(tools, `${tool}${end}`));
        }
      }
      for (let times = 0; times < 2; times += 1) await loadIptables(lab, model, `${tools}:`);
      assert.deepEqual(await wrongProbes(), []);
    } finally {
      await lab.close();
      rmSync(tools, { recursive: true });
    }
  });

  bridgeTest(`packets meet the expected verdicts of ${name}, with pods on a bridge`, async () => {
    const model = readPolicyModel(readManifests(`${root}/${name}/manifests.yaml`));
    const { lab, wrongProbes } = await openPolicyLab(model, readProbes(`${root}/${name}`), 'bridged');
    try {
      for (const [backend, load] of Object.entries(backends)) {
        await withoutRules(lab, model);
        for (let times = 0; times < 2; times += 1) await load(lab, model);
        assert.deepEqual(await wrongProbes(), [], backend);
      }
    } finally {
      await lab.close();
    }
  });
}

test('packets tell when rules are wrong: a chain that forgets its peers', async () => {
  const folder = `${root}/own-14-two-nodes`;
  const model = readPolicyModel(readManifests(`${folder}/manifests.yaml`));
  const { lab, wrongProbes } = await openPolicyLab(model, readProbes(folder));
  try {
    await loadNftables('forward', (text) => text.replaceAll(/ip saddr @pods-\w+/g, 'meta mark 0'))(lab, model);
    const wrong = await wrongProbes();
    assert.ok(wrong.length > 0);
    assert.ok(wrong.every(({ allowed }) => !allowed));
  } finally {
    await lab.close();
  }
});
