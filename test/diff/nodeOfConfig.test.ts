import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { parseAllDocuments, stringify } from 'yaml';
import { compileFiles, root } from '../support/compileCase.ts';
import { runCli } from '../support/runCli.ts';

/** A configuration asks for what only the node or its Node object has: the rest is in its rules. */
const folder = mkdtempSync(join(tmpdir(), 'k8snet-node-of-config-'));
after(() => rmSync(folder, { recursive: true }));

const manifests = join(root, 'fixtures/services/dualstack-basic/manifests.yaml');
const node = ['--node', 'node-1', '--kube-version', '1.34'];

function write(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

function configOf(name: string, text: string): string {
  return write(`${name}.yaml`, `apiVersion: kubeproxy.config.k8s.io/v1alpha1\nkind: KubeProxyConfiguration\n${text}`);
}

/** What a node shows whose kube-proxy was started so. */
async function dumped(flags: readonly string[], change = (text: string) => text): Promise<readonly string[]> {
  const { artefacts, text } = await compileFiles([manifests], [...node, ...flags]);
  return [...artefacts.keys()]
    .filter((name) => /\.v[46]/.test(name) && !name.endsWith('.restore'))
    .map((name) => write(name, change(text(name))));
}

function diff(objects: string, flags: readonly string[], dumps: readonly string[]) {
  const { status, stdout, stderr } = runCli(['diff', '-f', objects, ...node, ...flags, ...dumps, '-o', 'json']);
  assert.notEqual(stdout, '', stderr);
  const { findings, notes } = JSON.parse(stdout) as {
    readonly findings: readonly { readonly id: string; readonly seen: string }[];
    readonly notes: readonly string[];
  };
  return { status, ids: findings.map(({ id }) => id), notes: notes.join('\n'), said: JSON.stringify(findings) };
}

const interfaces = ['172.31.5.1/24', 'fd00:31::1/64'].flatMap((address) => ['--node-address', address]);

describe('addresses of further interfaces', () => {
  for (const mode of ['iptables', 'nftables']) {
    it(`are those that ${mode} rules have in the ranges of nodePortAddresses`, async () => {
      const config = [
        '--mode',
        mode,
        '--config',
        configOf('further', 'nodePortAddresses: [172.31.0.0/16, "fd00:31::/32"]\n'),
      ];
      const dumps = await dumped([...config, ...interfaces]);
      const { status, notes, said } = diff(manifests, config, dumps);
      assert.equal(status, 0, said);
      assert.doesNotMatch(said, /once more|no node port answers/);
      assert.match(notes, /--node-address 172\.31\.5\.1 --node-address fd00:31::1/);
      const told = diff(manifests, [...config, '--node-address', '172.31.9.9/24'], dumps);
      assert.equal(told.status, 1, 'addresses that are given count alone');
    });
  }

  it('are no addresses outside these ranges, and none of another Node', async () => {
    const ranges = configOf('ranges', 'nodePortAddresses: [172.31.0.0/16, 192.168.10.0/24]\n');
    const target = ['--mode', 'iptables', '--config', ranges, '--family', 'ipv4'];
    for (const other of ['172.30.5.1', '192.168.10.2']) {
      const changed = (text: string) => text.replaceAll('172.31.5.1/32', `${other}/32`);
      const dumps = await dumped([...target, ...interfaces], changed);
      const { status, ids, notes } = diff(manifests, target, dumps);
      assert.equal(status, 1, other);
      assert.ok(ids.includes('K8N507'), other);
      assert.doesNotMatch(notes, /--node-address/);
    }
  });
});

describe('detectLocalMode NodeCIDR', () => {
  const config = [
    '--config',
    configOf('node-cidr', 'detectLocalMode: NodeCIDR\n'),
    '--node-ip',
    '192.168.10.1,fd00:192:168:10::1',
  ];
  const withoutNodes = (): string => {
    const documents = parseAllDocuments(readFileSync(manifests, 'utf8')).map((one) => one.toJS() as { kind?: string });
    const others = documents.filter((one) => one?.kind !== undefined && one.kind !== 'Node');
    assert.ok(others.length < documents.length);
    return write('others.yaml', others.map((one) => stringify(one)).join('---\n'));
  };

  for (const mode of ['iptables', 'nftables']) {
    it(`takes the Pod range from ${mode} rules where no Node is given`, async () => {
      const flags = ['--config', config[1] as string, '--mode', mode];
      const { status, notes, said } = diff(withoutNodes(), [...config, '--mode', mode], await dumped(flags));
      assert.equal(status, 0, said);
      assert.match(notes, /the Pod range of the node as the dump shows it: 10\.\S+, fd\S+/);
    });
  }

  it('takes it from the Node where there is one: other rules differ', async () => {
    const flags = ['--config', config[1] as string, '--mode', 'iptables'];
    const dumps = await dumped(flags, (text) => text.replaceAll(/(?<= ! -s )10\.\d+\.\d+\.0\/24/g, '10.99.0.0/24'));
    const { status, notes } = diff(manifests, flags, dumps);
    assert.equal(status, 1);
    assert.doesNotMatch(notes, /as the dump shows it/);
  });
});
