import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compileText } from '../support/compileText.ts';

const service = `
apiVersion: v1
kind: Service
metadata: { name: web }
spec:
  type: NodePort
  clusterIP: 10.96.0.10
  ports: [{ port: 80, nodePort: 30080 }]
`;

async function node(...args: string[]) {
  const { compiled } = await compileText(service, '--node-ip', '192.168.10.1', ...args);
  return compiled.plans[0]?.node;
}

describe('where node ports are open', () => {
  it('on every local address, unless some are named', async () => {
    assert.deepEqual((await node())?.nodePorts, { kind: 'anyLocal' });
    assert.deepEqual((await node('--nodeport-addresses', '0.0.0.0/0'))?.nodePorts, { kind: 'anyLocal' });
    assert.deepEqual((await node('--nodeport-addresses', 'fd00::/8'))?.nodePorts, { kind: 'anyLocal' });
  });

  it('until 1.33 only the literal catch-all is one: another range of everything is matched with the addresses', async () => {
    const written = ['--nodeport-addresses', '10.0.0.0/0'];
    assert.deepEqual((await node(...written, '--kube-version', '1.33'))?.nodePorts, {
      kind: 'addresses',
      addresses: ['127.0.0.1', '192.168.10.1'],
    });
    assert.deepEqual((await node(...written, '--kube-version', '1.34'))?.nodePorts, { kind: 'anyLocal' });
  });

  it('further addresses take part; each once, sorted as text', async () => {
    const args = ['--nodeport-addresses', '192.168.0.0/16,10.0.0.0/8', '--node-address', '10.1.2.3/24'];
    assert.deepEqual((await node(...args, '--node-address', '192.168.10.1/24'))?.nodePorts, {
      kind: 'addresses',
      addresses: ['10.1.2.3', '192.168.10.1'],
    });
  });

  it("in nftables mode on the node's own address", async () => {
    const expected = { kind: 'addresses', addresses: ['192.168.10.1'] };
    assert.deepEqual((await node('--mode', 'nftables'))?.nodePorts, expected);
  });

  it('primary means the address of the node, and every address in a family without one', async () => {
    for (const mode of ['iptables', 'ipvs', 'nftables']) {
      const args = ['--mode', mode, '--kube-version', '1.31', '--nodeport-addresses', 'primary'];
      const own = await node(...args);
      assert.deepEqual(own?.nodePorts, { kind: 'addresses', addresses: ['192.168.10.1'] });
      assert.equal(own?.usesLocalhostNodePorts, false);
      assert.deepEqual((await node(...args, '--family', 'ipv6'))?.nodePorts, { kind: 'anyLocal' });
    }
  });

  it('primary is refused by versions that do not know it', async () => {
    await assert.rejects(
      node('--kube-version', '1.30', '--nodeport-addresses', 'primary'),
      /1\.30 does not take "primary"/,
    );
  });

  it('localhost answers only where loopback is among the addresses', async () => {
    assert.equal((await node())?.usesLocalhostNodePorts, true);
    assert.equal((await node('--nodeport-addresses', '192.168.10.0/24'))?.usesLocalhostNodePorts, false);
    assert.equal((await node('--nodeport-addresses', '127.0.0.1/32'))?.usesLocalhostNodePorts, true);
    assert.equal((await node('--nodeport-addresses', '0.0.0.0/1'))?.usesLocalhostNodePorts, true);
    assert.equal((await node('--mode', 'ipvs'))?.usesLocalhostNodePorts, false);
  });
});

describe('the mark', () => {
  it('is one bit, the highest too', async () => {
    assert.equal((await node())?.mark, 0x4000);
    assert.equal((await node('--iptables-masquerade-bit', '31'))?.mark, 0x80000000);
    assert.equal((await node('--iptables-masquerade-bit', '0'))?.mark, 1);
  });
});
