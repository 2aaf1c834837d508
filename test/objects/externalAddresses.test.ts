import assert from 'node:assert/strict';
import { it } from 'node:test';
import { externalAddresses } from '../../src/objects/services/externalAddresses.ts';
import { compileCase } from '../support/compileCase.ts';

it('names external IPs that are addresses of a node, and no others', async () => {
  const { compiled } = await compileCase('services/lb-etp-local', '--mode', 'iptables');
  assert.ok(compiled);
  const { model, policyManifests } = compiled;
  const address = model.node.addresses.at(-1) as string;
  const [port] = model.servicePorts;
  assert.ok(port);
  const found = (ip: string) =>
    externalAddresses({ node: model.node, servicePorts: [{ ...port, externalIPs: [ip] }] }, policyManifests);
  const [finding] = found(address);
  assert.equal(finding?.code, 'K8N509');
  assert.ok(finding?.what.includes(address));
  assert.deepEqual(found('203.0.113.77'), []);
});
