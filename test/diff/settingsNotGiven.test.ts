import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { targetOptions } from '../../src/cli/options/targetOptions.ts';
import { diffNode } from '../../src/diff/diffNode.ts';
import { compileForDump } from '../../src/diff/settle/compileForDump.ts';
import { readDumps } from '../../src/dump/readDumps.ts';
import { load } from '../../src/load/files/load.ts';
import { isFailing } from '../../src/report/isFailing.ts';
import { compileFiles, root } from '../support/compileCase.ts';
import { drawn } from '../support/drawn.ts';
import { targetFlags } from '../support/targetFlags.ts';
import { fails, said } from './diffCase.ts';

const folder = mkdtempSync(join(tmpdir(), 'k8snet-settings-'));
after(() => rmSync(folder, { recursive: true }));

const manifests = join(root, 'fixtures/services/mixed-random-dual/manifests.yaml');
const args = readFileSync(join(root, 'fixtures/services/mixed-random-dual/args'), 'utf8').trim().split(/\s+/);
const ranges = 'clusterCIDR: 10.244.0.0/16,fd00:10:244::/56\n';

const modes = [
  { mode: 'iptables', versions: ['1.24', '1.31', '1.36'] },
  { mode: 'ipvs', versions: ['1.24', '1.36'] },
  { mode: 'nftables', versions: ['1.29', '1.33', '1.36'] },
];

interface Scenario {
  readonly name: string;
  readonly config: string;
  readonly told: RegExp;
  readonly modes?: readonly string[];
  /** From this minor version on it shows. */
  readonly since?: number;
  readonly family?: 'ipv4';
}

const both = (text: string) => `iptables: ${text}\nnftables: ${text}\n`;

const scenarios: readonly Scenario[] = [
  { name: 'the masquerade bit', config: ranges + both('{masqueradeBit: 20}'), told: /--iptables-masquerade-bit 20/ },
  { name: 'bit 31 and no clusterCIDR', config: both('{masqueradeBit: 31}'), told: /--iptables-masquerade-bit 31/ },
  {
    name: 'masqueradeAll beside a clusterCIDR',
    config: ranges + both('{masqueradeAll: true, masqueradeBit: 5}'),
    told: /--masquerade-all --iptables-masquerade-bit 5/,
  },
  { name: 'masqueradeAll alone', config: both('{masqueradeAll: true}'), told: /--masquerade-all/ },
  {
    name: 'the bridge of Pods',
    config: 'detectLocalMode: BridgeInterface\ndetectLocal: {bridgeInterface: cbr0}\n',
    told: /--detect-local-mode BridgeInterface --bridge-interface cbr0/,
  },
  {
    name: "the names of Pods' interfaces",
    config: 'detectLocalMode: InterfaceNamePrefix\ndetectLocal: {interfaceNamePrefix: veth}\n',
    told: /--detect-local-mode InterfaceNamePrefix --pod-interface-name-prefix veth/,
  },
  {
    name: 'localhostNodePorts',
    config: `${ranges}iptables: {localhostNodePorts: false}\n`,
    told: /iptables\.localhostNodePorts=false/,
    modes: ['iptables'],
    since: 28,
    family: 'ipv4',
  },
  {
    name: 'nodePortAddresses',
    config: `${ranges}nodePortAddresses: [192.168.10.0/24, "fd00:192:168:10::/64"]\n`,
    told: /--nodeport-addresses \S+\/(?:32|128)/,
    modes: ['iptables'],
  },
  {
    name: 'nodePortAddresses of loopback',
    config: `${ranges}nodePortAddresses: [127.0.0.0/8]\n`,
    told: /--nodeport-addresses 127\.0\.0\.1\/32/,
    modes: ['iptables'],
    family: 'ipv4',
  },
];

function configFile(text: string): string {
  const path = join(folder, 'config.yaml');
  writeFileSync(path, `apiVersion: kubeproxy.config.k8s.io/v1alpha1\nkind: KubeProxyConfiguration\n${text}`);
  return path;
}

/** What a node shows whose kube-proxy has this configuration. */
async function dumped(target: readonly string[], config: string, ...further: readonly string[]) {
  const all = [...args, ...target, '--config', configFile(config), ...further];
  const { artefacts, text } = await compileFiles([manifests], all);
  return [...artefacts.keys()]
    .filter((name) => /\.v[46]/.test(name) && !name.endsWith('.restore'))
    .map((name) => ({ name, text: text(name) }));
}

/** `diff -f` of it; without `config` as where nobody knows the configuration. */
async function diff(files: Awaited<ReturnType<typeof dumped>>, flags: readonly string[], config?: string) {
  const ignore = () => {};
  const { objects } = await load([manifests], { recursive: false }, ignore);
  const given = config === undefined ? { objects: [] } : await load([configFile(config)], { recursive: false }, ignore);
  const options = targetFlags(flags);
  const target = targetOptions(options);
  const input = { objects, configObjects: given.objects, target, kubeVersion: options.kubeVersion };
  const compiled = compileForDump(input, readDumps(files, { name: 'node', family: undefined }), ignore);
  assert.ok(compiled);
  return diffNode(compiled, { level: 'rules', hasNfacct: false, family: 'both' });
}

describe('settings that a dump shows and nobody gave', () => {
  for (const { name, config, told, since = 0, ...scenario } of scenarios) {
    it(`are taken from it and told, and differ where a configuration says otherwise: ${name}`, async () => {
      const nodes = modes
        .filter(({ mode }) => scenario.modes?.includes(mode) !== false)
        .flatMap(({ mode, versions }) =>
          versions.map((version) => ({ mode, version, isFirst: version === versions[0] })),
        )
        .filter(({ version }) => Number(version.slice(2)) >= since)
        .flatMap((node) => (['ipv4', 'ipv6'] as const).map((family) => ({ ...node, family })))
        .filter(({ family }) => scenario.family === undefined || scenario.family === family);
      assert.ok(nodes.length > 1);
      for (const { mode, version, family, isFirst } of drawn(nodes)) {
        const where = `${mode} ${version} ${family}`;
        const files = await dumped(['--mode', mode, '--kube-version', version, '--family', family], config);
        const report = await diff(files, ['--kube-version', version]);
        assert.ok(!fails(report), `${where}\n${said(report)}`);
        assert.match(report.notes.join('\n'), told, where);
        if (isFirst) assert.ok(!fails(await diff(files, [])), `${where}, version deduced`);
        const given = await diff(files, ['--kube-version', version, '--mode', mode], ranges);
        assert.ok(fails(given), `${where}: a configuration says otherwise`);
      }
    });
  }

  it('are those of both families', async () => {
    for (const { mode, versions } of modes) {
      const version = versions.at(-1) as string;
      const files = await dumped(
        ['--mode', mode, '--kube-version', version],
        ranges + both('{masqueradeBit: 7, masqueradeAll: true}'),
      );
      const report = await diff(files, ['--kube-version', version]);
      assert.ok(!fails(report), `${mode}\n${said(report)}`);
    }
  });

  it('are counters of nfacct too, and one that is lost is missed', async () => {
    const target = ['--mode', 'iptables', '--kube-version', '1.34', '--family', 'ipv4'];
    const files = await dumped(target, ranges, '--nfacct');
    const report = await diff(files, ['--kube-version', '1.34']);
    assert.ok(!fails(report), said(report));
    assert.match(report.notes.join('\n'), /settings as the dump shows them: --nfacct/);
    const counting = /^-A KUBE-NODEPORTS .*nfacct.*\n/m;
    const lost = files.map(({ name, text }) => ({ name, text: text.replace(counting, '') }));
    assert.notDeepEqual(lost, files);
    assert.ok(fails(await diff(lost, ['--kube-version', '1.34'])));
  });

  it('are not addresses for node ports that no Node has, nor that there are none', async () => {
    const target = ['--mode', 'iptables', '--kube-version', '1.34', '--family', 'ipv4'];
    const files = await dumped(target, `${ranges}nodePortAddresses: [192.168.10.0/24]\n`);
    for (const by of ['-A KUBE-SERVICES -d 192.168.10.77/32 ', '# ']) {
      const changed = files.map(({ name, text }) => ({
        name,
        text: text.replace(/^-A KUBE-SERVICES -d \S+ (?=.*-j KUBE-NODEPORTS)/m, by),
      }));
      assert.notDeepEqual(changed, files);
      const report = await diff(changed, ['--kube-version', '1.34']);
      assert.ok(fails(report), by);
      assert.doesNotMatch(report.notes.join('\n'), /--nodeport-addresses/);
    }
  });

  it('are not what a lost rule looks like: INVALID packets that are not dropped stay a difference', async () => {
    const target = ['--mode', 'iptables', '--kube-version', '1.34', '--family', 'ipv4'];
    const files = await dumped(target, ranges);
    const lost = files.map(({ name, text }) => ({ name, text: text.replace(/^-A KUBE-FORWARD .*INVALID.*\n/m, '') }));
    assert.notDeepEqual(lost, files);
    assert.ok(fails(await diff(lost, ['--kube-version', '1.34'])));
  });
});

/** One rule that somebody changed is no setting: it is named, and no other. */
const faults: readonly (readonly [
  what: string,
  mode: string,
  version: string,
  change: RegExp,
  by: string,
  id: string,
])[] = [
  ['a lost source', 'iptables', '1.34', / ! -s 10\.244\.0\.0\/16(?= .*cluster IP)/, '', 'K8N401'],
  ['another range', 'iptables', '1.34', /(?<= ! -s 10\.)244(?=.*cluster IP)/, '99', 'K8N401'],
  ['a lost source', 'iptables', '1.20', / ! -s 10\.244\.0\.0\/16(?= .*cluster IP)/, '', 'K8N401'],
  ['a lost source', 'nftables', '1.33', / ip saddr != 10\.244\.0\.0\/16|ip saddr != 10\.244\.0\.0\/16 /, '', 'K8N401'],
  ['another range', 'nftables', '1.33', /(?<=ip saddr != 10\.)244/, '99', 'K8N401'],
  ['another mark', 'iptables', '1.34', /--set-xmark 0x4000\/0x4000/, '--set-xmark 0x8000/0x8000', 'K8N409'],
  ['another mark', 'nftables', '1.33', /mark \| 0x00004000/, 'mark | 0x00008000', 'K8N409'],
  ['another mark', 'nftables', '1.36', /mark \| 0x00004000/, 'mark | 0x00008000', 'K8N401'],
  ['another mark', 'ipvs', '1.34', /--set-xmark 0x4000\/0x4000/, '--set-xmark 0x8000/0x8000', 'K8N409'],
];

describe('a rule of one Service or of one chain that somebody changed', () => {
  for (const [what, mode, version, change, by, id] of faults) {
    it(`is told, and no other is: ${what}, ${mode} ${version}`, async () => {
      const files = await dumped(['--mode', mode, '--kube-version', version, '--family', 'ipv4'], ranges);
      const changed = files.map(({ name, text }) => ({ name, text: text.replace(change, by) }));
      assert.notDeepEqual(changed, files);
      const report = await diff(changed, ['--kube-version', version]);
      const failing = report.findings.filter(isFailing);
      assert.deepEqual(new Set(failing.map((finding) => finding.code)), new Set([id]), said(report));
      assert.ok(failing.length <= 2, said(report));
    });
  }
});
