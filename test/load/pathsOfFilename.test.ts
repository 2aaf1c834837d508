import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { run } from '../../src/cli/run.ts';
import { readDumps } from '../../src/dump/readDumps.ts';
import { findFiles } from '../../src/load/findFiles.ts';

const folder = mkdtempSync(join(tmpdir(), 'k8snet-paths-'));
after(() => rmSync(folder, { recursive: true }));
const service = (name: string) =>
  `apiVersion: v1\nkind: Service\nmetadata: {name: ${name}}\nspec: {clusterIP: None, ports: [{port: 80}]}\n`;
for (const name of ['a', 'b']) writeFileSync(join(folder, `${name}.yaml`), service(name));
const both = [join(folder, 'a.yaml'), join(folder, 'b.yaml')];
const find = (path: string) => findFiles([path], false, ({ message }) => assert.fail(message));

test('a pattern in quotes stands for the files that it matches', () => {
  assert.deepEqual(find(join(folder, '*.yaml')), both);
  assert.deepEqual(find(join(folder, '?.yaml')), both);
});

test('paths set apart by commas are several', () => {
  assert.deepEqual(find(both.join(',')), both);
});

test('a pattern that matches nothing is an error', () => {
  const said: string[] = [];
  assert.deepEqual(
    findFiles([join(folder, '*.nope')], false, ({ message }) => said.push(message)),
    [],
  );
  assert.equal(said.length, 1);
});

test('manifests behind -f up to the next option are its paths', async () => {
  assert.equal(await run(['lint', '-f', ...both, '-q']), 0);
  assert.equal(await run(['lint', '-f', ...both, join(folder, 'c.yaml'), '-q']), 2);
});

test('route -n is no list of addresses, and says so', () => {
  const text =
    'Kernel IP routing table\nDestination     Gateway         Genmask\n0.0.0.0         10.0.0.1        0.0.0.0\n';
  const { unread, addresses } = readDumps([{ name: 'r.txt', text, kind: 'routes' }], { name: 'n' });
  assert.match(unread[0]?.message ?? '', /ip route show table all/);
  assert.deepEqual(addresses, []);
});

test('ifconfig shows the addresses of kube-ipvs0 among those of other devices', () => {
  const text =
    'eth0: flags=4163<UP>  mtu 1500\n        inet 10.0.0.5  netmask 255.255.255.0\n\nkube-ipvs0: flags=130<BROADCAST,NOARP>  mtu 1500\n        inet 10.96.0.10  netmask 255.255.255.255\n';
  const ipvs = { name: 'ipvsadm.txt', text: 'TCP  10.96.0.10:53 rr\n' };
  const { unread, addresses } = readDumps([{ name: 'i.txt', text }, ipvs], { name: 'n' });
  assert.deepEqual(unread, []);
  assert.equal(addresses[0]?.tables.get('addresses')?.chains.get('kube-ipvs0')?.text, '10.96.0.10');
});
