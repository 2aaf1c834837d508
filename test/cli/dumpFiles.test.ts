import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { readNodeDump } from '../../src/cli/readNodeDump.ts';
import { canonicalText } from '../../src/node/canonicalText.ts';

const folder = mkdtempSync(join(tmpdir(), 'k8snet-dumps-'));
after(() => rmSync(folder, { recursive: true }));

const save =
  '*nat\n:PREROUTING ACCEPT [0:0]\n:KUBE-SERVICES - [0:0]\n-A PREROUTING -j KUBE-SERVICES\nCOMMIT\n*filter\n:INPUT ACCEPT [0:0]\nCOMMIT\n';

async function canon(path: string): Promise<string> {
  const node = await readNodeDump([path], undefined, ({ message }) => assert.fail(message));
  assert.ok(node);
  assert.deepEqual(node.unread, []);
  return [...canonicalText(node)].join('');
}

function file(name: string, content: string | Buffer): string {
  const path = join(folder, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, content);
  return path;
}

const plain = await canon(file('plain.save', save));

test('a dump compressed by gzip is read', async () => {
  assert.equal(await canon(file('node.save.gz', gzipSync(save))), plain);
});

test('a dump in UTF-16, as PowerShell writes it, is read', async () => {
  const text = Buffer.from(`\uFEFF${save.replaceAll('\n', '\r\n')}`, 'utf16le');
  assert.equal(await canon(file('utf16.txt', text)), plain);
});

test('damaged gzip data is an error that says so', async () => {
  const said: string[] = [];
  const path = file('bad.gz', gzipSync(save).subarray(0, 30));
  assert.equal(await readNodeDump([path], undefined, ({ message }) => said.push(message)), undefined);
  assert.match(said.join(), /gzip data is damaged/);
});

test('what collect packed is read as the folder that it filled', async () => {
  file('k8snet-n1/dumps/iptables.v4.save', save);
  file('k8snet-n1/facts/sysctl.txt', 'net.ipv4.ip_forward = 1\n');
  file('k8snet-n1/errors.txt', 'nothing\n');
  execFileSync('tar', ['-czf', 'k8snet-n1.tar.gz', 'k8snet-n1'], { cwd: folder });
  assert.equal(await canon(join(folder, 'k8snet-n1')), plain);
  assert.equal(await canon(join(folder, 'k8snet-n1.tar.gz')), plain);
});

test('of a folder that compile wrote the saved forms are read, and nothing beside them', async () => {
  file('out/iptables.v4.save', save);
  file('out/iptables.v4.restore', save.replace('-A PREROUTING', '-A KUBE-SERVICES'));
  file('out/apply.sh', '#!/bin/sh\niptables-restore <<X\n*nat\nX\n');
  file('out/sysctl.conf', 'net.ipv4.ip_forward = 1\n');
  file('out/health.txt', '30000 200\n');
  assert.equal(await canon(join(folder, 'out')), plain);
});
