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
  const args = [...read('args').trim().split(' '), '--config', join(folder, 'config.yaml'), '--kube-version', '1.20'];
  const result = await compileFiles([join(folder, 'cluster.yaml')], args);
  const listed = byAddress(parsed(read('listing.txt')));
  assert.equal(listed.size, 11);
  assert.deepEqual(byAddress(parsed(result.text('ipvsadm.v4.save'))), listed);
});

test('since 1.22 no node port is open on 127.0.0.1, also where that is named as an address of the node', async () => {
  const args = read('args').trim().split(' ');
  const result = await compileFiles(
    [join(folder, 'cluster.yaml')],
    [...args, '--mode', 'ipvs', '--kube-version', '1.22'],
  );
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
