import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { compilePolicies } from '../../src/emit/policy/compilePolicies.ts';
import { type PolicyModel, readPolicyModel } from '../../src/model/policyModel.ts';
import { type LoadStep, reasonToSkip, sendProbes, type World } from './lab/sendProbes.ts';
import { readManifests, readProbes } from './readCase.ts';

/** Packets through a real kernel: every probe of every case, every back end. */
const root = 'fixtures/networkpolicy';
const cases = readdirSync(root);
const skip = reasonToSkip(['nft list tables', 'iptables-save', 'ip6tables-save', 'ipset list']);
const unreported = (): void => undefined;

const backends: Readonly<Record<string, (model: PolicyModel, node: string) => readonly LoadStep[]>> = {
  'nftables, forward hook': (model, node) => loadNftables(model, node, 'forward'),
  'nftables, postrouting hook': (model, node) => loadNftables(model, node, 'postrouting'),
  'iptables-nft and ipset, strict': loadIptables,
};

/** By the script that users get. Its lines run in the node's namespace only. */
function loadIptables(model: PolicyModel, node: string): readonly LoadStep[] {
  const text = compilePolicies(model, { backends: ['iptables'], node }, unreported).script ?? '';
  return [text, text].map((script) => ({ command: 'sh', text: script }));
}

function loadNftables(model: PolicyModel, node: string, hook: 'forward' | 'postrouting'): readonly LoadStep[] {
  const { nftables } = compilePolicies(model, { backends: ['nftables'], node, hook }, unreported);
  const texts = [nftables?.v4 ?? '', nftables?.v6 ?? ''];
  // Twice: the second load replaces the first.
  return [...texts, ...texts].map((text) => ({ command: 'nft -f -', text }));
}

function world(name: string, load: (model: PolicyModel, node: string) => readonly LoadStep[]): World {
  const model = readPolicyModel(readManifests(`${root}/${name}/manifests.yaml`));
  const rules = Object.fromEntries(model.nodes.map((node) => [node.name, load(model, node.name)]));
  return { model, probes: readProbes(`${root}/${name}`), rules };
}

for (const [backend, load] of Object.entries(backends)) {
  test(`packets meet the expected verdicts: ${backend}`, { skip }, async (t) => {
    const results = await sendProbes(cases.map((name) => world(name, load)));
    for (const [at, name] of cases.entries()) {
      await t.test(name, () => {
        const probes = readProbes(`${root}/${name}`);
        assert.deepEqual(
          probes.filter((probe, index) => probe.allowed !== results[at]?.[index]),
          [],
        );
      });
    }
  });
}

test('packets tell when rules are wrong: a chain that forgets its peers', { skip }, async () => {
  const name = 'post-01-test-network-policy';
  const broken = world(name, (model, node) =>
    loadNftables(model, node, 'forward').map(({ command, text }) => ({
      command,
      text: text.replaceAll(/ip saddr @(pods|nets)-\w+ meta/g, 'meta'),
    })),
  );
  const [passed] = await sendProbes([broken]);
  const leaks = readProbes(`${root}/${name}`).filter((probe, index) => !probe.allowed && passed?.[index]);
  assert.ok(leaks.length > 0);
});
