import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { labEnvironment } from '../../src/lab/labEnvironment.ts';
import { type Namespace, openNamespace } from '../../src/lab/openNamespace.ts';
import { runIn, tryIn } from '../../src/lab/runIn.ts';
import { root } from '../support/compileCase.ts';
import { runCli } from '../support/runCli.ts';
import { kernelTests } from './requirements.ts';

const bindTest = kernelTests(['bind']);
const resolverTest = kernelTests(['bind', 'musl']);

interface Server {
  readonly namespace: Namespace;
  readonly folder: string;
  /** The questions it was asked since the last call, `name type`. */
  readonly asked: () => readonly string[];
}

/** BIND with the zones of some manifests, at 127.0.0.1:53 of a namespace; every other name is NXDOMAIN. */
async function withServer(
  input: string,
  options: readonly string[],
  use: (server: Server) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'k8snet-dns-'));
  const namespace = await openNamespace('dns');
  let named: ChildProcess | undefined;
  try {
    chmodSync(folder, 0o755);
    const { status, stderr } = runCli(['emit', 'dns', '-f', input, '--out-dir', folder, ...options]);
    assert.equal(status, 0, stderr);
    writeFileSync(join(folder, 'root.zone'), '. 5 IN SOA a. b. 1 1 1 1 5\n. 5 IN NS a.\na. 5 IN A 127.0.0.1\n');
    writeFileSync(join(folder, 'server.conf'), serverConf(folder));
    named = spawn('nsenter', [`--net=/proc/${namespace.pid}/ns/net`, '--', ...command(folder)], {
      env: labEnvironment(),
      stdio: 'ignore',
    });
    await ready(namespace, join(folder, 'log'), named);
    let seen = readFileSync(join(folder, 'log'), 'utf8').length;
    const asked = () => {
      const text = readFileSync(join(folder, 'log'), 'utf8');
      const news = text.slice(seen);
      seen = text.length;
      return [...news.matchAll(/ query: (\S+) IN (\S+) /g)].map(([, name, type]) => `${name} ${type}`);
    };
    await use({ namespace, folder, asked });
  } finally {
    named?.kill('SIGKILL');
    await namespace.close();
    rmSync(folder, { recursive: true });
  }
}

function command(folder: string): readonly string[] {
  return ['named', '-f', '-n', '1', '-L', join(folder, 'log'), '-c', join(folder, 'server.conf')];
}

function serverConf(folder: string): string {
  return `options {
  directory "${folder}"; pid-file none; session-keyfile none; lock-file none;
  listen-on { 127.0.0.1; }; listen-on-v6 { none; };
  recursion no; dnssec-validation no; allow-transfer { any; }; minimal-responses yes; empty-zones-enable no; querylog yes;
};
controls { };
include "${folder}/named.conf";
zone "." { type primary; file "root.zone"; };
`;
}

async function ready(namespace: Namespace, log: string, named: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const { stdout } = await tryIn(namespace, ['dig', '@127.0.0.1', '+short', '+time=1', '+tries=1', '.', 'SOA']);
    if (stdout.includes('a. b.')) return;
    if (named.exitCode !== null) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.fail(`named does not answer\n${readFileSync(log, 'utf8')}`);
}

bindTest('BIND loads every zone and gives back exactly its records', async () => {
  for (const [input, ...options] of [
    ['fixtures/emit-own/dns-shapes/input.yaml', '--assume-pods'],
    [
      'fixtures/emit-own/dns-shapes/input.yaml',
      '--endpoint-pod-names',
      '--ttl',
      '3600',
      '--cluster-domain',
      'k.example',
    ],
    ['fixtures/emit/dns-headless-dup-hostname/input.yaml', '--pods', 'insecure'],
    ['fixtures/emit/dns-post-names/input.yaml', '--profile', 'spec'],
  ] as const) {
    await withServer(join(root, input), options, async ({ namespace, folder }) => {
      const { zones } = JSON.parse(readFileSync(join(folder, 'records.json'), 'utf8')) as {
        readonly zones: readonly {
          readonly zone: string;
          readonly records: readonly { name: string; ttl: number; type: string; data: string }[];
        }[];
      };
      for (const { zone, records } of zones) {
        const dig = ['dig', '@127.0.0.1', '+noall', '+answer', '+onesoa', zone, 'AXFR'];
        const given = (await runIn(namespace, dig)).split('\n').filter((line) => line !== '');
        const found = given.map((line) =>
          line
            .split(/\s+/)
            .filter((word) => word !== 'IN')
            .join(' '),
        );
        const wanted = records.map(({ name, ttl, type, data }) => `${name} ${ttl} ${type} ${data}`);
        assert.deepEqual(found.sort(), wanted.sort(), `${input} ${options.join(' ')} ${zone}`);
        assert.deepEqual(
          readFileSync(join(folder, `${zone}zone`), 'utf8')
            .trim()
            .split('\n').length,
          records.length,
        );
      }
    });
  }
});

const program = `#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <arpa/inet.h>
int main(int argc, char **argv) {
  struct addrinfo hints, *found, *each;
  char text[64];
  memset(&hints, 0, sizeof hints);
  hints.ai_family = atoi(argv[1]) == 4 ? AF_INET : AF_INET6;
  hints.ai_socktype = SOCK_STREAM;
  if (getaddrinfo(argv[2], 0, &hints, &found)) return 1;
  for (each = found; each; each = each->ai_next) {
    void *address = each->ai_family == AF_INET ? (void *)&((struct sockaddr_in *)each->ai_addr)->sin_addr
                                               : (void *)&((struct sockaddr_in6 *)each->ai_addr)->sin6_addr;
    puts(inet_ntop(each->ai_family, address, text, sizeof text));
  }
  return 0;
}
`;

interface Resolved {
  readonly steps: readonly { readonly name: string; readonly type: string }[];
  readonly answer: readonly { readonly type: string; readonly data: string }[];
  readonly result: string;
}

/** Every question is asked by both C libraries with the Pod's own resolv.conf in place. */
const questions: readonly (readonly [pod: string, name: string, family: 4 | 6])[] = [
  ['bar/q', 'foo', 4],
  ['quux/p', 'foo', 4],
  ['quux/p', 'foo.bar', 4],
  ['quux/p', 'foo.bar.svc', 4],
  ['quux/p', 'foo.bar.svc.cluster.local', 4],
  ['quux/p', 'foo.bar.svc.cluster.local.', 4],
  ['quux/p', 'h.bar', 4],
  ['quux/p', 'n1.h.bar', 4],
  ['quux/p', 'in.bar', 4],
  ['quux/p', 'www.example.org', 4],
  ['bar/q', 'foo', 6],
  ['quux/p', 'foo.bar.svc.cluster.local.', 6],
  ['quux/n1', 'foo.bar', 4],
  ['quux/n1', 'foo.bar.svc.cluster.local', 4],
  ['quux/n1', 'foo', 4],
];

resolverTest('both C libraries ask the names that --resolve lists, in that order, and get its answer', async () => {
  const input = join(root, 'fixtures/emit/resolve-srv/input.yaml');
  await withServer(input, [], async ({ namespace, folder, asked }) => {
    writeFileSync(join(folder, 'ask.c'), program);
    for (const [resolver, compiler] of [
      ['glibc', 'cc'],
      ['musl', 'musl-gcc'],
    ] as const) {
      const built = spawnSync(compiler, ['-o', join(folder, resolver), join(folder, 'ask.c')], { encoding: 'utf8' });
      assert.equal(built.status, 0, built.stderr);
      for (const [pod, name, family] of questions) {
        const conf = runCli(['emit', 'resolv.conf', '-f', input, '--pod', pod, '--cluster-dns', '127.0.0.1']);
        writeFileSync(join(folder, 'resolv.conf'), conf.stdout);
        const type = family === 4 ? 'A' : 'AAAA';
        const args = ['--resolve', name, '--from', `pod/${pod}`, '--type', type, '--resolver', resolver, '-o', 'json'];
        const said = JSON.parse(runCli(['emit', 'dns', '-f', input, ...args]).stdout) as Resolved;
        asked();
        const script = `mount --bind ${folder}/resolv.conf /etc/resolv.conf && exec ${folder}/${resolver} ${family} "$1"`;
        const inside = ['unshare', '--mount', 'sh', '-c', script, 'sh', name];
        const { stdout, stderr } = await tryIn(namespace, inside);
        const what = `${resolver}: ${name} from ${pod}\n${conf.stdout}${stderr}`;
        const wanted = said.steps.map((step) => `${step.name.slice(0, -1)} ${step.type}`);
        assert.deepEqual(await settled(asked, wanted.length), wanted, what);
        const addresses = said.answer.filter((record) => record.type === type).map(({ data }) => data);
        assert.deepEqual(
          stdout
            .split('\n')
            .filter((line) => line !== '')
            .sort(),
          addresses.sort(),
          what,
        );
      }
    }
  });
});

/** The log is written a moment after the answer. */
async function settled(asked: () => readonly string[], count: number): Promise<readonly string[]> {
  const all: string[] = [];
  for (let attempt = 0; attempt < 400 && all.length < count; attempt += 1) {
    all.push(...asked());
    if (all.length < count) await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return all;
}

bindTest('a hosts file is read by the C library as it says', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'k8snet-hosts-'));
  const namespace = await openNamespace('hosts');
  try {
    const input = join(root, 'fixtures/emit/hosts-aliases/input.yaml');
    const made = runCli(['emit', 'hosts', '-f', input, '--pod', 'default/hostaliases-pod', '--out-dir', folder]);
    assert.equal(made.status, 0, made.stderr);
    const script = `mount --bind ${folder}/hosts /etc/hosts && exec getent hosts "$1"`;
    for (const [name, address] of [
      ['hostaliases-pod', '10.200.0.5'],
      ['bar.local', '127.0.0.1'],
      ['bar.remote', '10.1.2.3'],
    ] as const) {
      const seen = await runIn(namespace, ['unshare', '--mount', 'sh', '-c', script, 'sh', name]);
      assert.equal(seen.split(/\s/)[0], address, name);
    }
  } finally {
    await namespace.close();
    rmSync(folder, { recursive: true });
  }
});
