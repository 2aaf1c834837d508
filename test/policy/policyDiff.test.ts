import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { diffPolicies } from '../../src/diff/policies/diffPolicies.ts';
import { readDumps } from '../../src/dump/readDumps.ts';
import { readPolicyModel } from '../../src/model/policyModel.ts';
import type { NodeRules } from '../../src/node/nodeRules.ts';
import { compilePolicies } from '../../src/output/policies/compilePolicies.ts';
import type { Compiled } from '../../src/pipeline/compile.ts';
import { compileFiles } from '../support/compileCase.ts';
import { compileText } from '../support/compileText.ts';
import { readManifests } from './readCase.ts';

/** Dumps of policies against their manifests: kube-router's recorded ones, and our own, whole and changed. */
const root = 'golden/recorded/networkpolicy';

async function compare(name: string, node: string, files: Readonly<Record<string, string>>) {
  const { compiled } = await compileFiles([`fixtures/networkpolicy/${name}/manifests.yaml`], ['--node', node]);
  if (compiled === undefined) assert.fail(name);
  const dump = readDumps(
    Object.entries(files).map(([file, text]) => ({ name: file, text })),
    { name: node, family: undefined },
  );
  assert.deepEqual(dump.unread, []);
  return { compiled, ...diffed(compiled, dump) };
}

/** All rules that differ, those that a finding shows first. */
function diffed(compiled: Compiled, dump: NodeRules) {
  const { findings, changes, notes } = diffPolicies(compiled, dump);
  const said = findings.map(({ code, what }) => `${code} ${what}`);
  return { said, notes, changes: [...findings.flatMap(({ rules = [] }) => rules), ...changes] };
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

test('several policies may open one named port of the same Pods: their set is named after its contents', async () => {
  const policies = Array.from({ length: 6 }, (_, at) => ({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: `open-${at}`, namespace: 'shop' },
    spec: { podSelector: {}, ingress: [{ from: [{ podSelector: {} }], ports: [{ port: 'http' }] }] },
  }));
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace: 'shop' },
    spec: { nodeName: 'node-1', containers: [{ name: 'main', ports: [{ name: 'http', containerPort: 8080 }] }] },
    status: { phase: 'Running', podIP: '10.0.0.5', podIPs: [{ ip: '10.0.0.5' }] },
  };
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-1' } };
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } };
  const items = [node, namespace, pod, ...policies];
  const text = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
  const { compiled } = await compileText(text, '--node', 'node-1');
  const model = readPolicyModel(compiled.policyManifests);
  const { iptablesSave, ipsetSave } = compilePolicies(
    model,
    { backends: ['iptables'], node: 'node-1' },
    () => undefined,
  );
  const files = [
    { name: 'iptables', text: iptablesSave?.v4 ?? '' },
    { name: 'ipset', text: ipsetSave?.v4 ?? '' },
  ];
  const { changes, notes } = diffed(compiled, readDumps(files, { name: 'node-1', family: undefined }));
  assert.deepEqual(changes, []);
  assert.match(notes.join(), /strict layout/);
});

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
    {
      table: 'ipset',
      chain: `${set} (default/test-network-policy)`,
      expected: `${ip} (${owner})`,
      place: { file: 'ipset', line: lineOf(whole.ipset, `create ${set} `) },
    },
  ]);

  const unhooked = (whole.iptables ?? '').replace(/^-A KUBE-ROUTER-FORWARD .*"default\/db in" -j .*\n/gm, '');
  assert.notEqual(unhooked, whole.iptables);
  const pod = await compare(name, 'node-1', { ...whole, iptables: unhooked });
  assert.ok(pod.changes.length > 0);
  assert.ok(
    pod.changes.every(({ chain, expected }) => chain === 'KUBE-ROUTER-FORWARD' && expected?.includes('(default/db)')),
  );
  assert.ok(pod.changes.every(({ place }) => place?.file === 'iptables' && place.line > 0));

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
    changes.map(({ found, expected, place }) => ({ found, expected, place })),
    [
      {
        found: `${stranger.ips[0]} (${stranger.id})`,
        expected: undefined,
        place: { file: 'nft', line: lineOf(text, stranger.ips[0] as string) },
      },
    ],
  );
});

/** The line on which a text has something, from 1. */
function lineOf(text: string | undefined, what: string): number {
  return (text ?? '').slice(0, text?.indexOf(what)).split('\n').length;
}

test('every change has its place in the dump', async () => {
  const name = 'post-01-test-network-policy';
  const whole = recorded(name, 'node-1');
  const [line = '', chain = ''] =
    /^-A (KUBE-NWPLCY-[A-Z2-7]{16}) .*ingress pods" .*MARK.*$/m.exec(whole.iptables ?? '') ?? [];
  const other = line.replace('--dport 6379', '--dport 6380');
  assert.notEqual(other, line);
  const edited = await compare(name, 'node-1', { ...whole, iptables: (whole.iptables ?? '').replace(line, other) });
  assert.equal(edited.changes.length, 2);
  const firstRule = { file: 'iptables', line: lineOf(whole.iptables, `-A ${chain} `) };
  for (const { expected, place } of edited.changes) {
    assert.deepEqual(
      place,
      expected === undefined ? { file: 'iptables', line: lineOf(whole.iptables, line) } : firstRule,
    );
  }

  const swapped = (whole.iptables ?? '').replace(/^(-A KUBE-POD-FW-.*-j KUBE-NWPLCY-COMMON)\n(.*)$/m, '$2\n$1');
  const [moved, ...more] = (await compare(name, 'node-1', { ...whole, iptables: swapped })).changes;
  assert.deepEqual(more, []);
  assert.ok(moved?.isMoved);
  assert.deepEqual(moved.place, { file: 'iptables', line: lineOf(whole.iptables, '-A KUBE-POD-FW-') });

  const poor = (whole.ipset ?? '').replace(/^(?:create|add) (?!inet6:).*\n/gm, '');
  const members = await compare(name, 'node-1', { ...whole, ipset: `create other hash:ip\n${poor}` });
  assert.ok(members.changes.length > 2);
  assert.ok(members.changes.every(({ table, place }) => table === 'ipset' && place?.line === 1));
});

const policyTest = 'post-01-test-network-policy';
const emptied = '*filter\n:INPUT ACCEPT [0:0]\n:FORWARD ACCEPT [0:0]\n:OUTPUT ACCEPT [0:0]\nCOMMIT\n';

test('that all chains are gone is one change, where their sets or the other family tell of them', async () => {
  const whole = recorded(policyTest, 'node-1');
  const { changes, said } = await compare(policyTest, 'node-1', { iptables: emptied, ipset: whole.ipset ?? '' });
  assert.deepEqual(
    changes.map(({ table, chain, expected, place }) => ({ table, chain, expected, file: place?.file })),
    [{ table: 'filter', chain: 'KUBE-ROUTER-FORWARD', expected: ':KUBE-ROUTER-FORWARD -', file: 'ipset' }],
  );
  assert.match(said.join(), /K8N218 nothing enforces the policies of \d+ Pods? of this node in ipv4/);

  const dual = 'own-15-dual-stack';
  const { iptables = '', ipset = '' } = recorded(dual, 'node-1');
  const six = await compare(dual, 'node-1', {
    iptables,
    ip6tables: `# Generated by ip6tables-save\n${emptied}`,
    ipset,
  });
  assert.equal(six.changes.length, 1);
  assert.match(six.said.join(), /K8N218 nothing enforces the policies of \d+ Pods? of this node in ipv6/);

  const { compiled } = await compare(dual, 'node-1', {});
  const model = readPolicyModel(compiled.policyManifests);
  const { nftablesSave } = compilePolicies(model, { backends: ['nftables'], node: 'node-1' }, () => undefined);
  const bare = 'table ip6 kube-proxy {\n\tchain services {\n\t}\n}\n';
  const nft = await compare(dual, 'node-1', { nft: (nftablesSave?.v4 ?? '') + bare });
  assert.deepEqual(
    nft.changes.map(({ table, chain, expected }) => ({ table, chain, expected })),
    [{ table: 'ip6 k8snet-netpol', chain: 'forward', expected: ':forward -' }],
  );
  assert.deepEqual((await compare(dual, 'node-1', { nft: nftablesSave?.v4 ?? '' })).changes, []);
});

test('where nothing tells of our rules, a note says that policies are not compared, and by whom they are enforced', async () => {
  const bare = await compare(policyTest, 'node-1', { iptables: emptied });
  assert.deepEqual(bare.changes, []);
  assert.deepEqual(bare.notes, [
    'policies are not compared: the dump holds no chains of kube-router and no table k8snet-netpol',
  ]);
  const calico = await compare(policyTest, 'node-1', {
    iptables: emptied.replace('COMMIT', ':cali-FORWARD - [0:0]\n-A FORWARD -j cali-FORWARD\nCOMMIT'),
  });
  assert.deepEqual(calico.changes, []);
  assert.match(calico.notes.join(), /holds chains of calico, none of kube-router/);
});

test('of a part of the filter table nothing is missing', async () => {
  const { iptables = '' } = recorded(policyTest, 'node-1');
  const part = iptables.split('\n').filter((line) => line.startsWith('-A KUBE-ROUTER-FORWARD '));
  assert.deepEqual((await compare(policyTest, 'node-1', { part: part.join('\n') })).changes, []);
  const odd = part.join('\n').replace(/-d \S+/, '-d 192.0.2.1/32');
  assert.equal((await compare(policyTest, 'node-1', { part: odd })).changes.length, 1);
});

test('what older rules left in our table of nftables is no difference, but what a hook leads to is', async () => {
  const name = 'post-08-from-ns-or-pod';
  const model = readPolicyModel(readManifests(`fixtures/networkpolicy/${name}/manifests.yaml`));
  const { nftablesSave } = compilePolicies(model, { backends: ['nftables'], node: 'node-1' }, () => undefined);
  const text = nftablesSave?.v4 ?? '';
  const left = `\tmap ingress-pods-00000000000000000000 {
\t\ttype ipv4_addr : verdict
\t\telements = { 10.1.0.10 : jump in-00000000000000000000 }
\t}

\tchain in-00000000000000000000 {
\t}
}
`;
  const withLeft = text.replace(/\}\n$/, `\n${left}`);
  assert.notEqual(withLeft, text);
  assert.deepEqual((await compare(name, 'node-1', { nft: withLeft })).changes, []);
  const led = withLeft.replace(/vmap @ingress-pods-\w+/, 'vmap @ingress-pods-00000000000000000000');
  assert.notDeepEqual((await compare(name, 'node-1', { nft: led })).changes, []);
  // Older versions of k8snet named maps by what they are for alone.
  const former = text.replaceAll(/\b(egress-pods|ingress-pods|self)-[0-9a-f]{20}\b/g, '$1');
  assert.notEqual(former, text);
  assert.deepEqual((await compare(name, 'node-1', { nft: former })).changes, []);
});
