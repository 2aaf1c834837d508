import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { rootCertificates } from 'node:tls';
import { accountApi, accountWriter } from '../../src/live/accountApi.ts';

const folder = mkdtempSync(join(tmpdir(), 'k8snet-account-'));
after(() => rmSync(folder, { recursive: true }));

/** Takes no connection: one waits to be accepted, and the kernel drops what asks for another. */
const listener = `
use Socket;
$| = 1;
socket(my $door, AF_INET, SOCK_STREAM, 6) or die $!;
bind($door, pack_sockaddr_in(0, INADDR_LOOPBACK)) or die $!;
listen($door, 0) or die $!;
my ($port) = unpack_sockaddr_in(getsockname($door));
print $port;
sleep 600;
`;

it('a server that no packet reaches has no answer in time, for those who read, follow and write', async () => {
  writeFileSync(join(folder, 'token'), 'token');
  writeFileSync(join(folder, 'ca.crt'), rootCertificates[0] ?? '');
  const server = spawn('perl', ['-e', listener], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [port] = (await once(server.stdout, 'data')) as [Buffer];
    const held = connect(Number(port.toString()), '127.0.0.1');
    await once(held, 'connect');
    const account = { host: '127.0.0.1', port: port.toString(), folder };
    const options = { requestTimeout: 300 };
    const [api, writer] = [accountApi(account, options), accountWriter(account, options)];
    const silent = { kind: 'failed', message: `127.0.0.1:${account.port}: no answer in time` };
    assert.deepEqual(await api.get('/api/v1/nodes'), silent);
    assert.deepEqual(await api.follow('/api/v1/nodes?watch=1', () => {}, new AbortController().signal), silent);
    assert.deepEqual(await writer.patch('/api/v1/nodes/n1/status', {}, 'strategic'), silent);
    assert.deepEqual(await writer.create('/api/v1/events', {}), silent);
    held.destroy();
  } finally {
    server.kill();
  }
});
