import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { readHealthyCase } from '../support/healthy/healthyCase.ts';
import { manifestsOf } from '../support/healthy/healthyFindings.ts';
import { plantFault, usualFaults } from '../support/healthy/plantFault.ts';
import { savedTable } from '../support/healthy/savedTable.ts';
import { runCli } from '../support/runCli.ts';

/** `why` with manifests and a dump says whether the node does otherwise: not for what other programs do to every packet. */

const packets = [
  { from: 'shop/client', to: '8.8.8.8:53', what: 'a network plug-in masquerades' },
  { from: '203.0.113.7', to: '203.0.113.31:9', what: 'Docker or a firewall drops' },
  { from: '192.168.10.2', to: '192.168.10.1:22', what: 'a firewall accepts' },
];

describe('why on a healthy node with rules of other programs', () => {
  for (const name of ['kind', 'docker-flannel', 'calico-ipvs', 'firewalld-nftables-mode', 'ufw-legacy', 'k3s']) {
    it(`${name}: finds nothing that the node does otherwise than the manifests would`, () => {
      const healthy = readHealthyCase(name);
      for (const { from, to, what } of packets) {
        const { stdout, differs } = ask([...manifestsOf(healthy), join(healthy.folder, 'node')], from, to);
        assert.equal(differs, undefined, `${what}: ${stdout}`);
      }
    });
  }

  it('says so where a rule of kube-proxy is lost, beside the rules of others', () => {
    const healthy = readHealthyCase('docker-flannel');
    const [lost] = usualFaults(healthy);
    assert.ok(lost !== undefined);
    const files = plantFault(healthy, lost);
    try {
      const { differs } = ask([...manifestsOf(healthy), ...files], 'shop/client', '10.96.1.10:80');
      assert.ok(differs !== undefined);
    } finally {
      rmSync(dirname(files[0] as string), { recursive: true });
    }
  });

  it('says nothing of the kind where the table that would translate was not given', () => {
    const healthy = readHealthyCase('kind');
    const folder = mkdtempSync(join(tmpdir(), 'k8snet-part-'));
    try {
      const file = savedTable(join(healthy.folder, 'node/dumps/iptables.nft.v4.save'), 'filter', folder);
      const { stdout, status, differs } = ask([...manifestsOf(healthy), file], 'node', '10.96.1.10:80');
      assert.match(stdout, /has no table nat/);
      assert.equal(differs, undefined);
      assert.equal(status, 3);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

function ask(words: readonly string[], from: string, to: string) {
  const { stdout, status, stderr } = runCli(['why', ...words, '--from', from, '--to', to, '-o', 'json']);
  assert.match(stdout, /^\{/, stderr);
  return { stdout, status, differs: JSON.parse(stdout).differs };
}
