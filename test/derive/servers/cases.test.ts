import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { kernelTests, type Need } from '../../kernel/requirements.ts';
import { root } from '../../support/compileCase.ts';
import { runCli } from '../../support/runCli.ts';
import { recordedFor } from '../targets/comparisons.ts';
import { makeCertificate, nginxCommand } from './nginx.ts';
import type { Job, Outcome, Probe, Server, SocketProbe } from './probes.ts';
import { runJob, runTool } from './runJob.ts';

/** The cases of fixtures/emit that a real server judges: what it answers, and from which address. */
const fixtures = join(root, 'fixtures/emit');

interface Expected {
  readonly kind: string;
  readonly spread?: boolean;
  readonly tls?: readonly string[];
  /** Health ports, and the nodes that answer 200 there. */
  readonly health?: Readonly<Record<string, readonly string[]>>;
}

interface Kubernetes {
  readonly kind: string;
  readonly status?: { readonly addresses?: readonly { readonly type: string; readonly address: string }[] };
  readonly spec?: { readonly ports?: readonly { readonly nodePort?: number; readonly protocol?: string }[] };
  readonly endpoints?: readonly { readonly addresses: readonly string[] }[];
  readonly ports?: readonly { readonly port: number }[];
}

const kinds: Readonly<Record<string, { readonly needs: readonly Need[]; readonly judge: Judge }>> = {
  nginx: { needs: ['namespaces', 'nginx', 'openssl'], judge: judgeIngress },
  haproxy: { needs: ['namespaces', 'haproxy'], judge: judgeBalancer },
  'nginx-stream': { needs: ['namespaces', 'nginx', 'nginx-stream'], judge: judgeBalancer },
};

type Judge = (name: string, expected: Expected, config: string) => Promise<void>;

for (const [kind, { needs, judge }] of Object.entries(kinds)) {
  const test = kernelTests(needs);
  for (const name of readdirSync(fixtures)) {
    const expected = JSON.parse(readFileSync(join(fixtures, name, 'expect.json'), 'utf8')) as Expected;
    if (expected.kind !== kind) continue;
    test(`${name} (${kind})`, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'k8snet-emit-'));
      try {
        for (const secret of expected.tls ?? []) makeCertificate(folder, secret, 'x');
        const words = readFileSync(join(fixtures, name, 'cmd'), 'utf8')
          .trim()
          .split(/\s+/);
        const args = words.map((word) => (word === 'TLSDIR' ? folder : word));
        const { status, stdout, stderr } = runCli(args, { cwd: join(fixtures, name) });
        assert.equal(status, 0, stderr);
        await judge(name, expected, stdout);
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  }
}

/** Every endpoint of the input answers, so that a request to a wrong or unready one shows. */
async function judgeIngress(name: string, { spread }: Expected, config: string): Promise<void> {
  const rows = rowsOf(name);
  const servers = objectsOf(name).flatMap(({ kind, endpoints, ports }): readonly Server[] =>
    kind !== 'EndpointSlice'
      ? []
      : (endpoints ?? []).flatMap(({ addresses }) =>
          addresses.flatMap((ip) => (ports ?? []).map(({ port }) => ({ kind: 'http' as const, ip, port }))),
        ),
  );
  const probes = rows.map(([scheme = '', host = '', path = '']): Probe => {
    const kind = scheme === 'https' ? 'https' : 'http';
    return { kind, port: kind === 'https' ? 18443 : 18080, host, path, times: spread ? 24 : 1 };
  });
  const listensOn = { ip: '127.0.0.1', port: 18080 };
  const outcomes = await runJob({ servers, addresses: [], program: nginxCommand(config), listensOn, probes });
  for (const [index, [scheme, host, path, status, wanted = '-']] of rows.entries()) {
    const outcome = outcomes[index] as Extract<Outcome, { readonly statuses: unknown }>;
    const what = `${scheme}://${host}${path}`;
    assert.deepEqual(outcome.statuses, [status], what);
    if (wanted.startsWith('-> ')) assert.equal(outcome.location, wanted.slice(3), what);
    else if (spread) assert.deepEqual(outcome.bodies, wanted.split(' ').sort(), what);
    else if (wanted !== '-')
      assert.ok(wanted.split(' ').includes(outcome.bodies[0] ?? ''), `${what}: ${outcome.bodies}`);
  }
}

async function judgeBalancer(name: string, { kind, health }: Expected, config: string): Promise<void> {
  const rows = rowsOf(name);
  const objects = objectsOf(name);
  const nodes = objects.flatMap(({ status }) => status?.addresses ?? []).filter(({ type }) => type === 'InternalIP');
  const nodePorts = objects.flatMap(({ spec }) => spec?.ports ?? []);
  const readsLine = rows.some((row) => row[4]?.startsWith('proxy='));
  const servers = nodes.flatMap(({ address: ip }): readonly Server[] => [
    ...nodePorts.map(({ nodePort, protocol }) => ({
      kind: protocol === 'UDP' ? ('udp' as const) : readsLine ? ('line' as const) : ('tcp' as const),
      ip,
      port: nodePort ?? 0,
    })),
    ...Object.entries(health ?? {}).map(([port, up]) => ({
      kind: 'http' as const,
      ip,
      port: Number(port),
      status: up.includes(ip) ? 200 : 503,
    })),
  ]);
  const probes = rows.map(([ip = '', port = '', times, wanted = '']): SocketProbe => {
    const until = wanted === 'one' ? wanted : wanted === '!' ? [''] : wanted.split(' ');
    return {
      kind: port.endsWith('/udp') ? 'udp' : 'tcp',
      ip,
      port: Number.parseInt(port, 10),
      times: Number(times),
      until,
    };
  });
  const tcp = probes.find((probe) => probe.kind === 'tcp');
  const job: Job = {
    servers,
    addresses: rows.map(([ip = '']) => ip),
    program: kind === 'haproxy' ? haproxyCommand(config) : nginxCommand(config, { isStream: true }),
    listensOn: tcp && { ip: tcp.ip, port: tcp.port },
    probes,
  };
  const outcomes = await runJob(job);
  for (const [index, [ip, port, , wanted = '', extra]] of rows.entries()) {
    const { answers } = outcomes[index] as Extract<Outcome, { readonly answers: unknown }>;
    const seen = [...new Set(answers.map((answer) => answer.split(' ')[0]))].sort();
    const what = `${ip}:${port}`;
    if (wanted === 'one') assert.ok(seen.length === 1 && seen[0] !== '', `${what}: ${seen}`);
    else assert.deepEqual(seen, wanted === '!' ? [''] : wanted.split(' ').sort(), what);
    if (extra?.startsWith('proxy=')) for (const answer of answers) assert.equal(answer.split(' ')[1], extra.slice(6));
  }
}

function haproxyCommand(config: string): readonly string[] {
  const file = join(mkdtempSync(join(tmpdir(), 'k8snet-haproxy-')), 'haproxy.cfg');
  writeFileSync(file, config);
  runTool(['haproxy', '-c', '-f', file]);
  return ['haproxy', '-db', '-f', file];
}

function rowsOf(name: string): readonly (readonly string[])[] {
  return recordedFor(name, 'probes.tsv')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split('\t'));
}

function objectsOf(name: string): readonly Kubernetes[] {
  const documents = parseAllDocuments(readFileSync(join(fixtures, name, 'input.yaml'), 'utf8'));
  return documents.map((document) => document.toJS() as Kubernetes).filter((object) => object !== null);
}
