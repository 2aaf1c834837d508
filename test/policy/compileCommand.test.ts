import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { runCli } from '../support/runCli.ts';

/** Policies in `k8snet compile`: which files there are, and what is printed. */
const policies = 'fixtures/networkpolicy/own-15-dual-stack/manifests.yaml';
const services = 'fixtures/services/clusterip-single/manifests.yaml';
let folder = '';
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'k8snet-policy-'));
});
after(() => rmSync(folder, { recursive: true }));

function k8snet(...args: readonly string[]) {
  return runCli(args);
}

/** The policies without their Nodes, which the Services bring too. */
function mixed(): string {
  const file = join(folder, 'mixed.yaml');
  const documents = readFileSync(policies, 'utf8').split(/^---$/m);
  writeFileSync(file, documents.filter((document) => !/^kind: Node$/m.test(document)).join('---'));
  return file;
}

/** The names of the policies' files, for `args`. */
function written(name: string, ...args: readonly string[]): readonly string[] {
  const out = join(folder, name);
  const { status, stderr } = k8snet('compile', '-q', '-f', policies, '--node', 'node-1', '--out-dir', out, ...args);
  assert.equal(status, 0, stderr);
  return readdirSync(out).filter((file) => file.startsWith('policy.') || file === 'apply.sh');
}

const nftFiles = ['v4', 'v6'].flatMap((family) => [`policy.${family}.list`, `policy.${family}.nft`]);
const iptablesFiles = ['v4', 'v6'].flatMap((family) =>
  ['ipset', 'ipset.restore', 'restore', 'save'].map((end) => `policy.${family}.${end}`),
);

test('files of policies are those of the mode, unless another back end is asked for', () => {
  assert.deepEqual(written('iptables'), ['apply.sh', 'policy.sh', ...iptablesFiles]);
  assert.deepEqual(written('nft', '--mode', 'nftables'), ['apply.sh', 'policy.sh', ...nftFiles]);
  assert.deepEqual(written('both', '--policy', 'nftables'), ['apply.sh', 'policy.sh', ...nftFiles]);
  assert.deepEqual(written('off', '--policy', 'off', '--allow-empty'), ['apply.sh']);
  assert.deepEqual(written('one', '--family', 'ipv6', '--policy', 'nftables'), [
    'apply.sh',
    'policy.sh',
    'policy.v6.list',
    'policy.v6.nft',
  ]);
});

test("kube-proxy's files hold nothing of policies, and only its own files are left with --policy-only", () => {
  written('pure');
  for (const file of readdirSync(join(folder, 'pure'))) {
    if (!file.startsWith('iptables.')) continue;
    assert.doesNotMatch(readFileSync(join(folder, 'pure', file), 'utf8'), /KUBE-(NWPLCY|ROUTER|POD-FW)/, file);
  }
  written('only', '--policy-only');
  assert.deepEqual(readdirSync(join(folder, 'only')), ['apply.sh', 'policy.sh', ...iptablesFiles]);
});

test('policies without Services are printed alone, and their script leaves Services alone', () => {
  const nft = k8snet('compile', '-f', policies, '--node', 'node-1', '--policy', 'nftables', '-o', 'restore');
  assert.equal(nft.status, 0, nft.stderr);
  assert.match(nft.stdout, /^add table ip k8snet-netpol \{/);
  assert.match(nft.stderr, /only the IPv4 rules are printed; the input has IPv6 Pods too/);
  const saved = k8snet('compile', '-q', '-f', policies, '--node', 'node-1', '--family', 'ipv6');
  assert.match(saved.stdout, /^# policy\.v6\.ipset\ncreate inet6:KUBE-/);
  assert.match(saved.stdout, /\n# policy\.v6\.save\n\*filter\n/);
  const script = k8snet('compile', '-q', '-f', policies, '--node', 'node-1', '-o', 'script');
  assert.doesNotMatch(script.stdout, /KUBE-SERVICES/);
});

test('beside Services a note says where the rules of policies are', () => {
  const { status, stdout, stderr } = k8snet(
    'compile',
    '-f',
    mixed(),
    '-f',
    services,
    '--node',
    'node-1',
    '--no-allocate',
  );
  assert.equal(status, 0, stderr);
  assert.doesNotMatch(stdout, /KUBE-NWPLCY/);
  assert.match(stderr, /--policy-only prints their rules, --out-dir writes all/);
});

test('once the last policy is gone, its files are those that remove it', () => {
  const [before, after] = ['swap-A', 'last-policy-removed'].map((name) => `fixtures/policy-scripts/${name}.yaml`);
  for (const [mode, rules] of [
    ['iptables', ['restore', 'save']],
    ['nftables', ['nft']],
  ] as const) {
    const out = join(folder, `last-${mode}`);
    const args = ['-q', '--policy-only', '--node', 'node-1', '--mode', mode];
    for (const file of [before ?? '', after ?? '']) {
      const ended = k8snet('compile', '-f', file, ...args, '--out-dir', out);
      assert.equal(ended.status, 0, ended.stderr);
    }
    for (const end of rules) {
      const text = readFileSync(join(out, `policy.v4.${end}`), 'utf8');
      assert.ok(text !== '' && !text.includes('-A '), text);
    }
    assert.doesNotMatch(readFileSync(join(out, 'policy.sh'), 'utf8'), /10\.1\.0\./);
    const script = k8snet('compile', '-f', after ?? '', ...args, '-o', 'script');
    assert.equal(script.status, 0, script.stderr);
    assert.equal(script.stdout, readFileSync(join(out, 'policy.sh'), 'utf8'));
  }
  // Input of Services alone says nothing of policies.
  const alone = join(folder, 'services-alone');
  assert.equal(k8snet('compile', '-q', '-f', services, '--no-allocate', '--out-dir', alone).status, 0);
  assert.ok(!existsSync(join(alone, 'policy.sh')));
});

test('in IPVS mode the input hook leaves what IPVS serves to the output hook, and nothing else', () => {
  const compile = (...args: readonly string[]) =>
    k8snet('compile', '--node', 'node-1', '--mode', 'ipvs', '--policy-only', '--no-allocate', ...args);
  const { status, stdout, stderr } = compile('-q', '-f', mixed(), '-f', services);
  assert.equal(status, 0, stderr);
  const [, set = ''] = /^-A KUBE-ROUTER-INPUT .*--match-set (\S+) dst,dst -j RETURN$/m.exec(stdout) ?? [];
  const members = stdout.match(new RegExp(`^add ${set} .*$`, 'gm')) ?? [];
  assert.ok(members.length > 0 && members.every((line) => /^add \S+ \d[\d.]+,tcp:\d+ timeout 0$/.test(line)), stdout);
  assert.doesNotMatch(stdout, /30000:32767|10\.96\.0\.0\/12/);
  const alone = compile('-f', policies);
  assert.match(alone.stderr, /policy-services-unknown/);
  assert.doesNotMatch(alone.stdout, /dst,dst/);
});

test('all nodes: a folder each, and nothing where one is misused', () => {
  const out = join(folder, 'nodes');
  const { status, stderr } = k8snet('compile', '-f', policies, '--all-nodes', '--out-dir', out);
  assert.equal(status, 0, stderr);
  assert.deepEqual(readdirSync(out), ['node-1', 'node-2']);
  assert.equal(stderr.match(/note policy-bridged-pods/g)?.length ?? 0, 1);
  for (const node of ['node-1', 'node-2']) {
    const alone = join(folder, `alone-${node}`);
    assert.equal(k8snet('compile', '-q', '-f', policies, '--node', node, '--out-dir', alone).status, 0);
    assert.deepEqual(readdirSync(join(out, node)), readdirSync(alone));
    for (const file of readdirSync(alone)) {
      assert.equal(readFileSync(join(out, node, file), 'utf8'), readFileSync(join(alone, file), 'utf8'), file);
    }
  }
  const unused = join(folder, 'unused');
  for (const [args, said] of [
    [['--all-nodes'], /--all-nodes needs --out-dir/],
    [['--all-nodes', '--out-dir', unused, '--node', 'node-1'], /exclude each other/],
  ] as const) {
    const ended = k8snet('compile', '-f', policies, ...args);
    assert.equal(ended.status, 2);
    assert.match(ended.stderr, said);
  }
  assert.ok(!existsSync(unused));
});

test('policies mean the Pods that are assumed of workloads, too', () => {
  const file = join(folder, 'workload.json');
  const labels = { app: 'web' };
  const items = [
    { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' }, spec: { podCIDR: '10.7.0.0/24' } },
    {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web' },
      spec: {
        replicas: 2,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'web' }] } },
      },
    },
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: { name: 'deny' },
      spec: { podSelector: { matchLabels: labels } },
    },
  ];
  writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
  const nft = (...args: readonly string[]) =>
    k8snet('compile', '-q', '-f', file, '--policy', 'nftables', ...args).stdout;
  assert.match(nft('--assume-pods'), /10\.7\.0\.10 comment "default\/web-0" : jump in-/);
  assert.doesNotMatch(nft(), /10\.7\.0\.10/);
});

test('JSON counts rules and set elements, and holds the files', () => {
  const { stdout } = k8snet('compile', '-q', '-f', policies, '--node', 'node-1', '-o', 'json');
  const { policy, artefacts } = JSON.parse(stdout);
  assert.equal(policy.backend, 'iptables');
  assert.ok(policy.policies > 0 && policy.rules > 0 && policy.setElements > 0);
  assert.ok(artefacts['policy.v4.save'].length > 10);
});

test('scripts pass shellcheck', (t) => {
  if (spawnSync('shellcheck', ['--version']).status !== 0) return t.skip('this machine lacks shellcheck');
  for (const args of [[], ['--mode', 'nftables'], ['--mode', 'ipvs', '--policy', 'nftables']]) {
    const out = join(folder, `shell${args.join('')}`);
    const ended = k8snet('compile', '-q', '-f', mixed(), '-f', services, '--node', 'node-1', '--out-dir', out, ...args);
    assert.equal(ended.status, 0, ended.stderr);
    for (const file of ['apply.sh', 'policy.sh']) {
      assert.equal(spawnSync('shellcheck', ['-s', 'sh', join(out, file)], { encoding: 'utf8' }).stdout, '', file);
    }
  }
  const cleanup = k8snet('cleanup', '--mode', 'policy').stdout;
  assert.equal(spawnSync('shellcheck', ['-s', 'sh', '-'], { encoding: 'utf8', input: cleanup }).stdout, '');
});
