import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCli } from '../support/runCli.ts';
import { localWeb, nodeAt, readyPod } from './localWeb.ts';

/** Remarks of check-service: what the comparison and the dump by itself say in different words is one. */
for (const mode of ['iptables/iptables.v4.save', 'nftables/nft.v4.save']) {
  test(`a policy Local without endpoints on the node is said once: ${mode}`, () => {
    const { stdout, status } = runCli([
      'check-service',
      'remote',
      '-f',
      'fixtures/services/lb-etp-local/manifests.yaml',
      `golden/recorded/services/lb-etp-local/${mode}`,
    ]);
    assert.equal(stdout.match(/K8N502: node node-1: /g)?.length, 1, stdout);
    assert.equal(status, 0, stdout);
  });
}

test('what is wrong with the objects is told with its place', () => {
  const input =
    'apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {type: LoadBalancer, ports: [{port: 80}], loadBalancerSourceRanges: [10.1.1.1]}\n';
  const { status, stderr } = runCli(['check-service', 'web', '-f', '-'], { input });
  assert.equal(status, 2);
  assert.match(stderr, /^<stdin>:4:\d+ error bad-network: "10\.1\.1\.1" is not a network/);
});

test('of nodes of which the same is said, one is shown, and the others are named', () => {
  const nodes = Array.from({ length: 6 }, (_, at) => `node-${at + 1}`);
  const items = [
    ...nodes.flatMap((name, at) => [
      nodeAt(name, `192.0.2.${at + 1}`),
      readyPod(`web-${at}`, 'web', name, `10.244.${at}.7`),
    ]),
    // The last two nodes have none.
    ...localWeb(nodes.slice(0, 4).map((nodeName, at) => ({ nodeName, address: `10.244.${at}.7` }))),
  ];
  const folder = mkdtempSync(join(tmpdir(), 'k8snet-remarks-'));
  try {
    const file = join(folder, 'cluster.json');
    writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
    const rules = join(folder, 'rules');
    assert.equal(runCli(['compile', '-f', file, '--all-nodes', '--out-dir', rules]).status, 0);
    const page = ['check-service', 'shop/web', '-f', file, ...nodes.map((name) => join(rules, name))];
    const { stdout, status } = runCli(page);
    assert.equal(status, 0, stdout);
    assert.deepEqual(
      stdout.split('\n').filter((line) => /^ {2}(?:K8N502: )?node |likewise/.test(line)),
      [
        '  K8N502: node node-5: policy Local, and no endpoint on this node: traffic is dropped (likewise: node-6)',
        '  node node-1  rules of iptables mode: as they should be',
        '               likewise: node-2, node-3, node-4',
        '  node node-5  rules of iptables mode: as they should be',
        '  node node-6  rules of iptables mode: as they should be',
        '  node node-1: addresses (`ip -d addr show`), routes (`ip route show table all`), sysctls (`sysctl -a`) (likewise: node-2, node-3, node-4, node-5, node-6)',
      ],
    );
    const { looked, remarks } = JSON.parse(runCli([...page, '-o', 'json']).stdout) as Record<string, object[]>;
    assert.deepEqual([looked?.length, remarks?.length], [1 + nodes.length, 2]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
