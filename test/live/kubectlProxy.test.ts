import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import type { ClusterApi } from '../../src/live/clusterApi.ts';
import { kubectlApi } from '../../src/live/kubectl/kubectlApi.ts';
import { until } from '../cluster/until.ts';
import { cliCommand } from '../support/runCli.ts';

/** A kubectl that says to the file `log` how it was called, and whose proxy answers by paths. */
const kubectl = (folder: string, proxy: string) => `#!/bin/bash
echo "$*" >>${folder}/log
while [[ $1 == --* ]]; do shift; done
case $1 in
config) echo test ;;
get) echo '{"by":"kubectl"}' ;;
proxy) ${proxy} ;;
esac
`;

/** Not by exec: a script may stand before the real program. */
const served = (folder: string) => `${process.execPath} ${folder}/server.mjs "$@"`;

const server = `import { createServer } from 'node:http';
const socket = process.argv.find((word) => word.startsWith('--unix-socket='))?.slice('--unix-socket='.length);
const status = (code, message) => [code, JSON.stringify({ kind: 'Status', message })];
const answers = {
  '/forbidden': status(403, 'nodes is forbidden'),
  '/gone': status(410, 'too old'),
  '/missing': status(404, 'no such thing'),
  '/unknown': [404, '404 page not found'],
  '/page': [403, '<html>'],
  '/signed-out': status(401, 'Unauthorized'),
  '/broken': [502, 'connection refused'],
};
createServer(({ method, url }, answer) => {
  if (url === '/slow') return;
  const [code, text] = answers[url] ?? [200, JSON.stringify({ by: 'proxy', method })];
  answer.writeHead(code).end(text);
}).listen(socket, () => console.log('Starting to serve on ' + socket));
`;

let folder: string;
let usualPath: string | undefined;
const log = () => readFileSync(join(folder, 'log'), 'utf8').trim().split('\n');
const write = (proxy: string) => writeFileSync(join(folder, 'kubectl'), kubectl(folder, proxy), { mode: 0o755 });
const signedIn = async (options = {}): Promise<ClusterApi> => {
  const api = await kubectlApi(options);
  assert.deepEqual(await api.get('/first'), byKubectl);
  return api;
};
const byKubectl = { kind: 'found', text: '{"by":"kubectl"}\n' };
const byProxy = { kind: 'found', text: '{"by":"proxy","method":"GET"}' };

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'k8snet-kubectl-'));
  writeFileSync(join(folder, 'server.mjs'), server);
  usualPath = process.env.PATH;
  process.env.PATH = `${folder}:${usualPath}`;
});
afterEach(() => {
  process.env.PATH = usualPath;
  rmSync(folder, { recursive: true, force: true });
});

test('kubectl is asked once, and its proxy from then on', async () => {
  write(served(folder));
  const api = await signedIn({ context: 'prod', as: 'me' });
  assert.deepEqual(await Promise.all([api.get('/a'), api.get('/b?limit=3')]), [byProxy, byProxy]);
  const [config, first, proxy, ...more] = log();
  assert.match(config ?? '', /^--context=prod --as=me config view /);
  assert.equal(first, '--context=prod --as=me get --raw /first');
  assert.match(
    proxy ?? '',
    /^--context=prod --as=me proxy --unix-socket=\S+ --reject-methods=\^\(POST\|PUT\|PATCH\|DELETE\)\$$/,
  );
  assert.deepEqual(more, []);
});

test('a single request starts no proxy', async () => {
  write(served(folder));
  await signedIn();
  assert.equal(log().length, 2);
});

test('what the server refuses is the same as from kubectl', async () => {
  write(served(folder));
  const api = await signedIn();
  const refused = (reason: string, message: string) => ({ kind: 'refused', reason, message });
  assert.deepEqual(await api.get('/forbidden'), refused('Forbidden', 'nodes is forbidden'));
  assert.deepEqual(await api.get('/gone'), refused('Expired', 'too old'));
  assert.deepEqual(await api.get('/missing'), refused('NotFound', 'no such thing'));
  assert.deepEqual(await api.get('/unknown'), refused('NotFound', 'the server could not find the requested resource'));
  assert.deepEqual(await api.get('/a'), byProxy);
});

for (const path of ['/page', '/signed-out', '/broken'])
  test(`kubectl itself explains ${path}, and is asked from then on`, async () => {
    write(served(folder));
    const api = await signedIn();
    assert.deepEqual(await api.get(path), byKubectl);
    assert.deepEqual(await api.get('/a'), byKubectl);
    assert.equal(log().filter((line) => line.startsWith('proxy')).length, 1);
  });

for (const [name, proxy] of Object.entries({
  'does not know it': 'echo "error: unknown command" >&2; exit 1',
  'prints something else and waits': `printf '%02000d' 0; sleep 60`,
}))
  test(`a kubectl that ${name} is asked itself`, async () => {
    write(proxy);
    const api = await signedIn();
    assert.deepEqual(await Promise.all([api.get('/a'), api.get('/b')]), [byKubectl, byKubectl]);
    assert.deepEqual(await api.get('/c'), byKubectl);
  });

test('the time limit counts for the proxy', async () => {
  write(served(folder));
  const api = await signedIn({ requestTimeout: 200 });
  const { kind, ...slow } = await api.get('/slow');
  assert.equal(kind, 'failed');
  assert.deepEqual(slow, { message: 'kubectl gave no answer in time', hint: '--request-timeout 2m waits longer' });
});

test('the proxy ends with the program, even if that is killed', async () => {
  // Its first answer is good; another one does not come.
  writeFileSync(join(folder, 'server.mjs'), server.replace("url === '/slow'", "url.includes('slices')"));
  write(served(folder));
  const [node = '', ...words] = cliCommand;
  const env = { ...process.env, TMPDIR: folder };
  const child = spawn(node, [...words, 'compile', '--live', '--node', 'n1'], { stdio: 'ignore', env });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const sockets = () => readdirSync(folder).filter((name) => name.startsWith('k8snet-proxy-'));
  await until('the proxy listens', 20_000, async () => sockets().some((name) => existsSync(join(folder, name, 'api'))));
  assert.ok(isServed());
  child.kill('SIGKILL');
  await ended;
  await until('nothing is left', 20_000, async () => sockets().length === 0 && !isServed());
});

/** Whether the server of this test runs. */
function isServed(): boolean {
  return readdirSync('/proc').some((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(`${folder}/server.mjs`);
    } catch {
      return false;
    }
  });
}
