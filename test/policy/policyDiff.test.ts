import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { policyChanges } from '../../src/diff/policyChanges.ts';
import { readDumps } from '../../src/diff/read/readDumps.ts';
import { compilePolicies } from '../../src/emit/policy/compilePolicies.ts';
import { readPolicyModel } from '../../src/model/policyModel.ts';
import { compileFiles } from '../support/compileCase.ts';

/** Dumps of policies against their manifests: kube-router's recorded ones, and our own, whole and changed. */
const root = 'golden/networkpolicy';

async function compare(name: string, node: string, files: Readonly<Record<string, string>>) {
  const { compiled } = await compileFiles([`fixtures/networkpolicy/${name}/manifests.yaml`], ['--node', node]);
  if (compiled === undefined) assert.fail(name);
  const dump = readDumps(
    Object.entries(files).map(([file, text]) => ({ name: file, text })),
    { name: node, family: undefined },
  );
  assert.deepEqual(dump.unread, []);
  return { compiled, ...policyChanges(compiled, dump) };
}

function recorded(name: string, node: string): Record<string, string> {
  const kinds = ['iptables', 'ip6tables', 'ipset'];
  return Object.fromEntries(
    kinds.map((kind) => [kind, readFileSync(`${root}/${name}/kube-router/${node}.${kind}`, 'utf8')]),
  );
}

for (const name of readdirSync(root)) {
  test(`nothing differs from what kube-router wrote for ${name}`, async () => {
    for (const node of ['node-1', 'node-2']) {
      const { changes, notes } = await compare(name, node, recorded(name, node));
      assert.deepEqual(changes, []);
      assert.match(notes.join(), /kube-router layout/);
    }
  });

  test(`nothing differs from our own rules for ${name}`, async () => {
    const { compiled } = await compare(name, 'node-1', {});
    const model = readPolicyModel(compiled.policyManifests);
    const ours = compilePolicies(
      model,
      { backends: ['iptables', 'nftables'], node: 'node-1', deny: 'reject', logGroup: 7, hairpin: 'policy' },
      ({ message }) => assert.fail(message),
    );
    const iptables = await compare(name, 'node-1', {
      iptables: ours.iptablesSave?.v4 ?? '',
      ipset: `${ours.ipsetSave?.v4}${ours.ipsetSave?.v6}`,
    });
    assert.deepEqual(iptables.changes, []);
    assert.match(iptables.notes.join(), /strict layout|kube-router layout/);
    const nft = await compare(name, 'node-1', { nft: `${ours.nftablesSave?.v4}${ours.nftablesSave?.v6}` });
    assert.deepEqual(nft.changes, []);
  });
}

test('a peer that left a set, a pod that lost its chain and a policy that lost a rule are named', async () => {
  const name = 'post-01-test-network-policy';
  const whole = recorded(name, 'node-1');
  const { compiled } = await compare(name, 'node-1', whole);
  const peers = readPolicyModel(compiled.policyManifests).pods;
  const [, set = '', ip = ''] = /^add (KUBE-SRC-\S+) (10\.\S+) /m.exec(whole.ipset ?? '') ?? [];
  const owner = peers.find(({ ips }) => ips.includes(ip))?.id ?? assert.fail(ip);
  const lost = await compare(name, 'node-1', {
    ...whole,
    ipset: (whole.ipset ?? '').replace(`add ${set} ${ip} timeout 0\n`, ''),
  });
  assert.deepEqual(lost.changes, [
    { table: 'ipset', chain: `${set} (default/test-network-policy)`, expected: `${ip} (${owner})` },
  ]);

  const unhooked = (whole.iptables ?? '').replace(/^-A KUBE-ROUTER-FORWARD .*"default\/db in" -j .*\n/gm, '');
  assert.notEqual(unhooked, whole.iptables);
  const pod = await compare(name, 'node-1', { ...whole, iptables: unhooked });
  assert.ok(pod.changes.length > 0);
  assert.ok(
    pod.changes.every(({ chain, expected }) => chain === 'KUBE-ROUTER-FORWARD' && expected?.includes('(default/db)')),
  );

  const ruleless = (whole.iptables ?? '').replace(/^-A KUBE-NWPLCY-\w+ .*ingress pods".*\n/gm, '');
  const policy = await compare(name, 'node-1', { ...whole, iptables: ruleless });
  assert.ok(policy.changes.length > 0);
  assert.ok(policy.changes.every(({ expected }) => expected?.includes('default/test-network-policy ingress pods')));
});

test('a peer that nftables lets in too is named', async () => {
  const name = 'post-01-test-network-policy';
  const { compiled } = await compare(name, 'node-1', {});
  const model = readPolicyModel(compiled.policyManifests);
  const { nftablesSave } = compilePolicies(model, { backends: ['nftables'], node: 'node-1' }, () => undefined);
  const stranger =
    model.pods.find(({ id, ips }) => ips[0] && !nftablesSave?.v4.includes(ips[0]) && id) ?? assert.fail();
  const text = (nftablesSave?.v4 ?? '').replace(/(set pods-\w+ \{[^}]*elements = \{ )/, `$1${stranger.ips[0]}, `);
  const { changes } = await compare(name, 'node-1', { nft: text });
  assert.deepEqual(
    changes.map(({ found, expected }) => ({ found, expected })),
    [{ found: `${stranger.ips[0]} (${stranger.id})`, expected: undefined }],
  );
});
