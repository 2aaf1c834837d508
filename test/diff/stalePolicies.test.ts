import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { diffPolicies } from '../../src/diff/policies/diffPolicies.ts';
import { policyEdits } from '../../src/diff/policies/policyEdits.ts';
import { readDumps } from '../../src/dump/readDumps.ts';
import { readPolicyModel } from '../../src/model/policyModel.ts';
import type { NodeRules } from '../../src/node/nodeRules.ts';
import { compilePolicies } from '../../src/output/policies/compilePolicies.ts';
import type { Compiled } from '../../src/pipeline/compile.ts';
import { compileText } from '../support/compileText.ts';
import { assertGolden } from '../support/golden.ts';
import { runCli } from '../support/runCli.ts';
import { twoNodes, webOnBoth } from '../support/twoNodes.ts';

/**
 * Pods, labels and policies were changed, and the node enforces their earlier state: the report says whose connections are
 * allowed or denied, and should not be.
 */
const folder = mkdtempSync(join(tmpdir(), 'k8snet-stale-policies-'));
after(() => rmSync(folder, { recursive: true }));

const pod = (name: string, namespace: string, app: string, node: string, ip: string) => `---
apiVersion: v1
kind: Pod
metadata: {name: ${name}, namespace: ${namespace}, labels: {app: ${app}}}
spec: {nodeName: ${node}, containers: [{name: c, ports: [{name: http, containerPort: 8080}]}]}
status: {phase: Running, podIP: ${ip}, podIPs: [{ip: ${ip}}]}
`;

const dbSpec = 'ingress: [{from: [{podSelector: {matchLabels: {app: web}}}], ports: [{port: 5432}]}]';
const webEgress =
  'egress: [{to: [{podSelector: {matchLabels: {app: db}}}], ports: [{port: 5432}]}, {ports: [{port: 53, protocol: UDP}]}]';
const policy = (name: string, spec: string) => `---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: ${name}, namespace: shop}
spec: {${spec}}
`;

const objects = [
  twoNodes,
  `---
apiVersion: v1
kind: Namespace
metadata: {name: shop}
---
apiVersion: v1
kind: Namespace
metadata: {name: ops, labels: {team: ops}}
`,
  pod('web-1', 'shop', 'web', 'n1', '10.244.1.5'),
  pod('web-2', 'shop', 'web', 'n2', '10.244.2.5'),
  pod('db-1', 'shop', 'db', 'n1', '10.244.1.6'),
  pod('probe', 'ops', 'probe', 'n2', '10.244.2.9'),
  policy('db', `podSelector: {matchLabels: {app: db}}, policyTypes: [Ingress], ${dbSpec}`),
  policy(
    'web',
    `podSelector: {matchLabels: {app: web}}, policyTypes: [Ingress, Egress], ingress: [{from: [{namespaceSelector: {matchLabels: {team: ops}}}, {ipBlock: {cidr: 192.168.0.0/16, except: [192.168.99.0/24]}}], ports: [{port: http}]}], ${webEgress}`,
  ),
].join('');

const without = (name: string) => (text: string) =>
  text
    .split('---\n')
    .filter((part) => !part.includes(`{name: ${name}`))
    .join('---\n');
const put = (from: string, to: string) => (text: string) => {
  assert.ok(text.includes(from), from);
  return text.replaceAll(from, to);
};
const also = (more: string) => (text: string) => text + more;

const changes: readonly (readonly [string, (text: string) => string])[] = [
  ['nothing', (text) => text],
  ['a peer is gone', without('web-2')],
  ['a peer is new', also(pod('web-3', 'shop', 'web', 'n2', '10.244.2.6'))],
  [
    'a peer has other labels',
    put('{name: web-2, namespace: shop, labels: {app: web}}', '{name: web-2, namespace: shop, labels: {app: old}}'),
  ],
  ['a peer’s namespace has other labels', put('labels: {team: ops}', 'labels: {team: dev}')],
  ['a Pod is gone', without('db-1')],
  ['a Pod is new', also(pod('db-2', 'shop', 'db', 'n1', '10.244.1.7'))],
  ['a Pod without policies is new', also(pod('free-1', 'shop', 'free', 'n1', '10.244.1.8'))],
  ['a Pod has another address', put('10.244.1.5', '10.244.1.77')],
  ['a Pod has other labels', put('labels: {app: db}', 'labels: {app: old}')],
  ['a Pod’s named port is another', put('containerPort: 8080', 'containerPort: 9090')],
  ['a policy is gone', without('db, namespace: shop}\nspec: {podSelector')],
  ['a policy is new', also(policy('none', 'podSelector: {}, policyTypes: [Ingress]'))],
  ['a policy has another name', put('{name: db, namespace: shop}\nspec', '{name: db-clients, namespace: shop}\nspec')],
  ['a policy asks for another port', put('ports: [{port: 5432}]}]}', 'ports: [{port: 5433}]}]}')],
  ['a policy has one port more', put('ports: [{port: 5432}]}]}', 'ports: [{port: 5432}, {port: 9187}]}]}')],
  ['a policy asks for no port', put(dbSpec, 'ingress: [{from: [{podSelector: {matchLabels: {app: web}}}]}]')],
  ['a policy allows everything', put(dbSpec, 'ingress: [{}]')],
  ['a policy allows nothing', put(dbSpec, 'ingress: []')],
  ['a policy isolates egress, too', put('policyTypes: [Ingress],', 'policyTypes: [Ingress, Egress],')],
  [
    'a policy does not isolate egress any more',
    (text) => put('policyTypes: [Ingress, Egress]', 'policyTypes: [Ingress]')(put(`, ${webEgress}`, '')(text)),
  ],
  ['a block is smaller', put('cidr: 192.168.0.0/16', 'cidr: 192.168.0.0/17')],
  ['a block has no exception', put(', except: [192.168.99.0/24]', '')],
  [
    'a policy has a rule for its own Pods',
    put('ports: [{port: 5432}]}]}', 'ports: [{port: 5432}]}, {from: [{podSelector: {matchLabels: {app: db}}}]}]}'),
  ],
];

type Layout = 'nftables' | 'strict' | 'kube-router';

/** The node, as its tools show it. */
function nodeOf({ policyManifests }: Pick<Compiled, 'policyManifests'>, layout: Layout): NodeRules {
  const isNft = layout === 'nftables';
  const backend = { backends: [isNft ? ('nftables' as const) : ('iptables' as const)], ...(!isNft && { layout }) };
  const { nftablesSave, iptablesSave, ipsetSave } = compilePolicies(
    readPolicyModel(policyManifests),
    { ...backend, node: 'n1' },
    ({ message }) => assert.fail(message),
  );
  const texts = isNft
    ? { nft: nftablesSave?.v4 ?? '' }
    : { iptables: iptablesSave?.v4 ?? '', ipset: ipsetSave?.v4 ?? '' };
  return readDumps(
    Object.entries(texts).map(([name, text]) => ({ name, text })),
    { name: 'n1', family: undefined },
  );
}

const compiled = async (text: string) => (await compileText(text, '--node', 'n1')).compiled;

describe('rules of policies that are older than the objects', () => {
  for (const layout of ['nftables', 'strict', 'kube-router'] as const) {
    it(`are told by what they do: ${layout}`, async () => {
      const node = nodeOf(await compiled(objects), layout);
      const lines: string[] = [];
      for (const [what, change] of changes) {
        const { findings, changes: left } = diffPolicies(await compiled(change(objects)), node);
        lines.push(`# ${what}`, ...findings.map((finding) => `${finding.code} ${finding.what}`));
        for (const { chain, expected, found } of left) lines.push(`? ${chain}: ${expected ?? '-'} / ${found ?? '-'}`);
      }
      assertGolden(`diff/stale-policies/${layout}.txt`, `${lines.join('\n')}\n`);
    });
  }

  it('are no fault where all Pods fare the same', async () => {
    const renamed = await compiled(
      put('{name: db, namespace: shop}\nspec', '{name: x, namespace: shop}\nspec')(objects),
    );
    const { findings, changes: left } = diffPolicies(renamed, nodeOf(await compiled(objects), 'strict'));
    assert.deepEqual(
      findings.map(({ code, severity }) => `${code} ${severity}`),
      ['K8N222 info'],
    );
    assert.deepEqual(left, []);
  });

  it('are told together where Pods fare alike', async () => {
    const more = ['3', '4', '5', '6'].map((at) => pod(`db-${at}`, 'shop', 'db', 'n1', `10.244.1.2${at}`)).join('');
    const stranger = pod('web-9', 'shop', 'web', 'n2', '10.244.2.99');
    const node = nodeOf(await compiled(objects + more), 'kube-router');
    const { findings } = diffPolicies(await compiled(objects + more + stranger), node);
    assert.deepEqual(
      findings.filter(({ severity }) => severity === 'error').map(({ what }) => what),
      [
        'the rules for shop/db-1, shop/db-3, shop/db-4 and 2 more deny connections from shop/web-9 (5432/tcp), which their policies allow (NetworkPolicy shop/db)',
      ],
    );
  });

  it('are not judged where a set is not shown', async () => {
    const whole = nodeOf(await compiled(objects), 'strict');
    const edited = await compiled(put('ports: [{port: 5432}]}]}', 'ports: [{port: 5433}]}]}')(objects));
    const { findings, changes: left } = diffPolicies(edited, { ...whole, ipsets: [] });
    assert.deepEqual(findings, []);
    assert.ok(left.length > 0);
  });

  it('are not missing from a dump that ends early', async () => {
    const now = await compiled(objects);
    const save = (backend: 'nftables' | 'iptables') =>
      compilePolicies(readPolicyModel(now.policyManifests), { backends: [backend], node: 'n1' }, () => undefined);
    const { iptablesSave, ipsetSave } = save('iptables');
    const ipset = { name: 'ipset', text: ipsetSave?.v4 ?? '' };
    for (const [text, beside] of [
      [save('nftables').nftablesSave?.v4 ?? '', []],
      [iptablesSave?.v4 ?? '', [ipset]],
    ] as const) {
      const lines = text.trimEnd().split('\n');
      for (const at of lines.keys()) {
        const files = [{ name: 'cut', text: `${lines.slice(0, at).join('\n')}\n` }, ...beside];
        const { findings, changes: left } = diffPolicies(now, readDumps(files, { name: 'n1', family: undefined }));
        assert.deepEqual([findings.map(({ what }) => what), left], [[], []], lines[at]);
      }
    }
  });

  it('that no packet gets to because the jump to them is gone are an error', async () => {
    const now = await compiled(objects);
    const save = compilePolicies(
      readPolicyModel(now.policyManifests),
      { backends: ['iptables'], node: 'n1' },
      () => undefined,
    );
    const text = (save.iptablesSave?.v4 ?? '').replace(/^-A FORWARD .*\n/m, '');
    const files = [
      { name: 'iptables', text },
      { name: 'ipset', text: save.ipsetSave?.v4 ?? '' },
    ];
    const { findings, changes: left } = diffPolicies(now, readDumps(files, { name: 'n1', family: undefined }));
    assert.deepEqual(
      findings.map(({ code, what }) => `${code} ${what}`),
      ['K8N218 FORWARD does not lead to the rules of policies'],
    );
    assert.deepEqual(left, []);
  });

  it('are named in a note where no policy is given', async () => {
    const save = compilePolicies(
      readPolicyModel((await compiled(objects)).policyManifests),
      { backends: ['nftables'], node: 'n1' },
      () => undefined,
    );
    writeFileSync(join(folder, 'node.nft'), save.nftablesSave?.v4 ?? '');
    writeFileSync(join(folder, 'nodes.yaml'), twoNodes);
    const services =
      'apiVersion: v1\nkind: Service\nmetadata: {name: a, namespace: shop}\nspec: {clusterIP: 10.96.0.9, ports: [{port: 80}]}\n';
    writeFileSync(join(folder, 'services.yaml'), services);
    const { stdout } = runCli([
      'diff',
      '-f',
      join(folder, 'nodes.yaml'),
      '-f',
      join(folder, 'services.yaml'),
      '--node',
      'n1',
      '--mode',
      'nftables',
      join(folder, 'node.nft'),
    ]);
    assert.match(stdout, /note: rules of policies were not compared: no policy is among the manifests/);
  });
});

describe('why, where rules of policies are older than the policies', () => {
  const made = join(folder, 'made');
  const node = join(folder, 'node');
  mkdirSync(node);
  const write = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const settings = ['--node', 'n1', '--mode', 'nftables'];
  const then = write('then.yaml', objects + webOnBoth);
  const { status, stderr } = runCli(['compile', '-f', then, ...settings, '--family', 'ipv4', '--out-dir', made]);
  assert.equal(status, 0, stderr);
  const listed = ['nft.v4.save', 'policy.v4.list'].map((name) => readFileSync(join(made, name), 'utf8'));
  writeFileSync(join(node, 'rules.nft'), listed.join(''));
  const why = (manifests: string, from: string) =>
    runCli(['why', node, '-f', manifests, ...settings, '--from', from, '--to', '10.244.1.6:5432']).stdout;

  it('does not blame a policy that allows the packet', () => {
    const now = write('now.yaml', objects + webOnBoth + pod('web-3', 'shop', 'web', 'n2', '10.244.2.6'));
    assert.match(
      why(now, '10.244.2.6'),
      /^Rules of policies deny it \(k8snet-netpol in-\w+\), and the policies of the manifests allow it: the rules are not those of the policies\.\n/,
    );
  });

  it('names the policy where it denies the packet, too', () => {
    assert.match(why(then, '10.244.2.9'), /^A NetworkPolicy denies it: no rule of the Pod's policies allows/);
  });

  it('blames no rules where the objects do not show whether a policy allows the packet', () => {
    const table = (objects + webOnBoth).replace(
      /kind: Namespace\nmetadata: \{name: ops.*\n/,
      'kind: Namespace\nmetadata: {name: ops2}\n',
    );
    const open = put(dbSpec, 'ingress: [{from: [{namespaceSelector: {matchLabels: {team: ops}}}]}]')(table);
    assert.doesNotMatch(why(write('open.yaml', open), '10.244.2.9'), /the policies of the manifests allow it/);
  });
});

describe('an edit of policies', () => {
  const edit = async (change: (text: string) => string) => {
    const [before, young] = [await compiled(objects), await compiled(change(objects))];
    return policyEdits(before, young);
  };

  it('is told by what becomes possible and impossible', async () => {
    const { edits, changes: rules, notes } = await edit(put('ports: [{port: 5432}]}]}', 'ports: [{port: 5433}]}]}'));
    assert.deepEqual(
      edits.map(({ what }) => what),
      [
        'shop/db-1 lets in connections from shop/web-1, shop/web-2 (5433/tcp) afterwards',
        'shop/db-1 no longer lets in connections from shop/web-1, shop/web-2 (5432/tcp)',
      ],
    );
    assert.ok(rules.length > 0);
    assert.deepEqual(notes, []);
  });

  it('that changes nothing for anybody has rules at most', async () => {
    const renamed = await edit(put('{name: db, namespace: shop}\nspec', '{name: x, namespace: shop}\nspec'));
    assert.deepEqual(renamed.edits, []);
    assert.ok(renamed.changes.length > 0);
    assert.deepEqual(await edit((text) => text), { edits: [], changes: [], notes: [] });
  });

  it('is left to the rules where Pods have other addresses', async () => {
    const { edits, changes: rules, notes } = await edit(put('10.244.1.5', '10.244.1.77'));
    assert.deepEqual(edits, []);
    assert.ok(rules.length > 0);
    assert.match(notes.join(), /^Pods have other addresses after the edit/);
  });

  it('is printed beside the Services, and ends with 1', () => {
    const [before, young] = [join(folder, 'before.yaml'), join(folder, 'after.yaml')];
    writeFileSync(before, objects);
    writeFileSync(young, without('db, namespace: shop}\nspec: {podSelector')(objects));
    const { stdout, status } = runCli(['diff', '-f', before, '-f', young, '--node', 'n1']);
    assert.equal(status, 1);
    assert.match(
      stdout,
      /^no Service changes\npolicies\n {2}shop\/db-1 lets in connections .* afterwards\nrules of policies in nftables: /,
    );
    const json = JSON.parse(runCli(['diff', '-f', before, '-f', young, '--node', 'n1', '-o', 'json']).stdout);
    assert.deepEqual(
      json.policies.map(({ pods, direction, becomes }: Record<string, unknown>) => ({ pods, direction, becomes })),
      [{ pods: ['shop/db-1'], direction: 'ingress', becomes: 'allowed' }],
    );
    assert.equal(runCli(['diff', '-f', before, '-f', before, '--node', 'n1']).status, 0);
  });
});
