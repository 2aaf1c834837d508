import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { runCli } from '../support/runCli.ts';

/** A node of nftables mode of which other programs' output was given: its Services are unknown, not lost. */
const node = 'fixtures/healthy/kind-nftables';
const iptables = `${node}/node/dumps/iptables.nft.v4.save`;
const objects = ['-f', `${node}/manifests.yaml`, '--node', 'n1'];
const folder = mkdtempSync(join(tmpdir(), 'k8snet-unshown-'));
after(() => rmSync(folder, { recursive: true }));

const config = join(folder, 'config.yaml');
writeFileSync(config, 'apiVersion: kubeproxy.config.k8s.io/v1alpha1\nkind: KubeProxyConfiguration\nmode: nftables\n');
const configMap = join(folder, 'map.yaml');
writeFileSync(
  configMap,
  `apiVersion: v1
kind: ConfigMap
metadata: {name: kube-proxy, namespace: kube-system}
data:
  config.conf: |
    apiVersion: kubeproxy.config.k8s.io/v1alpha1
    kind: KubeProxyConfiguration
    mode: nftables
`,
);

const question = ['--from', 'node', '--to', '10.96.1.10:80'];
const asked: readonly (readonly string[])[] = [
  ['doctor', '--mode', 'nftables'],
  ['doctor', ...objects, '--mode', 'nftables'],
  ['doctor', ...objects, '--config', config],
  ['doctor', ...objects, '-f', configMap],
  ['diff', ...objects, '--mode', 'nftables'],
  ['why', ...question, ...objects, '--mode', 'nftables'],
  ['why', ...question, '--mode', 'nftables'],
  ['trace', ...question, ...objects, '-f', configMap],
  ['reach', ...objects, '--config', config],
];

for (const words of asked) {
  const said = words.map((word) => word.replace(`${folder}/`, '')).join(' ');
  it(`${said} says that nft's rules are wanted`, () => {
    const { status, stdout, stderr } = runCli([...words, iptables]);
    assert.equal(status, 2, stdout + stderr);
    assert.match(stderr, /iptables\.nft\.v4\.save holds no nftables rules, and kube-proxy's mode is nftables/);
    assert.match(stderr, /give what nft list ruleset prints/);
    assert.doesNotMatch(stdout, /K8N111|No rule of kube-proxy/);
  });
}

it('nobody says the mode: kube-proxy may be missing', () => {
  const { status, stdout } = runCli(['doctor', iptables]);
  assert.equal(status, 1);
  assert.match(stdout, /K8N111/);
});

it('rules of another mode are judged, whatever the configuration says', () => {
  const other = 'fixtures/healthy/kind/node/dumps/iptables.nft.v4.save';
  const { status, stdout, stderr } = runCli(['doctor', '--mode', 'nftables', other]);
  assert.equal(status, 0, stdout + stderr);
});

it('with the rules of nft, everything is looked at', () => {
  const { status, stdout, stderr } = runCli([
    'doctor',
    ...objects,
    '--mode',
    'nftables',
    iptables,
    `${node}/node/dumps/nft.txt`,
  ]);
  assert.equal(status, 0, stdout + stderr);
});
