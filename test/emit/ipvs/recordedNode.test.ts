import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { serviceKey } from '../../../src/netfilter/ipvs/applyCommands.ts';
import type { IpvsState } from '../../../src/netfilter/ipvs/ast.ts';
import { parseIpvs } from '../../../src/netfilter/ipvs/parseIpvs.ts';
import { compileFiles, root } from '../../support/compileCase.ts';

const folder = join(root, 'fixtures/ipvs-node');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

/** A whole node of a Kubernetes 1.20 cluster, which somebody published; the objects were made up to fit. */
test('a published `ipvsadm -Ln` and the cluster behind it are one state', async () => {
  const args = [...read('args').trim().split(' '), '--config', join(folder, 'config.yaml')];
  const result = await compileFiles([join(folder, 'cluster.yaml')], args);
  const listed = byAddress(parsed(read('listing.txt')));
  assert.equal(listed.size, 11);
  assert.deepEqual(byAddress(parsed(result.text('ipvsadm.v4.save'))), listed);
});

test('kube-proxy 1.30 itself opens no node port on 127.0.0.1', async () => {
  const args = read('args').replace('--node-address 127.0.0.1/8', '').trim().split(' ');
  const result = await compileFiles([join(folder, 'cluster.yaml')], [...args, '--mode', 'ipvs']);
  const listed = byAddress(parsed(read('listing.txt')));
  assert.ok(listed.delete('tcp 127.0.0.1 30023'));
  assert.deepEqual(byAddress(parsed(result.text('ipvsadm.v4.save'))), listed);
});

function parsed(text: string): IpvsState {
  return parseIpvs(text, (problem) => assert.fail(JSON.stringify(problem)));
}

function byAddress({ services }: IpvsState): Map<string, unknown> {
  return new Map(
    services.map(({ address, scheduler, persistence, flags, servers }) => [
      serviceKey(address),
      {
        scheduler,
        persistence,
        flags,
        servers: servers.map(({ ip, port, forward, weight }) => `${ip} ${port} ${forward} ${weight}`).sort(),
      },
    ]),
  );
}
