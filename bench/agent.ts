import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeCluster } from './makeCluster.ts';
import { measure } from './measure.ts';

interface Item {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: { readonly name: string };
  readonly [field: string]: unknown;
}

const rounds = 8;

/**
 * The agent as a process, beside an API server that only lists and watches and programs that print files: what it costs
 * to look at an unchanged node, to compare one Service that changed, and the whole node, and what memory it takes.
 */
export async function benchAgent(scratch: string): Promise<void> {
  console.log(
    `\nagent, 10 endpoints a Service (without the programs that it runs; comparisons: median of ${rounds} changes)`,
  );
  for (const services of [1000, 10_000]) {
    for (const mode of ['iptables', 'nftables'])
      await agentOf(join(scratch, `agent-${mode}-${services}`), services, mode);
  }
}

async function agentOf(folder: string, services: number, mode: string): Promise<void> {
  mkdirSync(join(folder, 'bin'), { recursive: true });
  const items = objectsOf(folder, services, mode);
  const slices = items.filter(({ kind }) => kind === 'EndpointSlice');
  const slice = slices[Math.floor(slices.length / 2)] as Item & { readonly endpoints: readonly object[] };
  const after = { ...slice, endpoints: slice.endpoints.slice(1) };
  const rules = [slice, after].map((one, at) => rulesOf(folder, items, one, mode, `rules-${at}`));
  const shown = join(folder, 'shown');
  const show = (at: number) => {
    writeFileSync(`${shown}.new`, readFileSync(rules[at] as string));
    renameSync(`${shown}.new`, shown);
  };
  show(0);
  writePrograms(join(folder, 'bin'), shown, mode);
  const api = await openApi(items);
  const agent = openAgent(folder, api.port);
  try {
    await until(async () => (await agent.comparisons()).node.count > 0);
    const line = (what: string, text: string) => console.log(`  ${`${services} ${mode}, ${what}`.padEnd(44)}${text}`);
    line('first comparison', `${figures(agent.cpu())} of CPU; ${agent.peak()} MB at most, then ${agent.resident()}`);
    agent.forgetPeak();
    // Asking for metrics costs CPU too: so nobody does meanwhile.
    const idle = await costOf(agent, () => sleep(12_000));
    line('nothing changed', `${figures(idle.cpu / idle.checks)} a look`);
    const times: Record<string, number[]> = { services: [], node: [] };
    for (let round = 1; round <= rounds; round += 1) {
      const before = await agent.comparisons();
      api.change(round % 2 === 1 ? after : slice);
      show(round % 2);
      await until(async () => (await agent.comparisons()).all > before.all);
      const now = await agent.comparisons();
      for (const scope of ['services', 'node'] as const) {
        const count = now[scope].count - before[scope].count;
        if (count > 0) times[scope]?.push((1000 * (now[scope].seconds - before[scope].seconds)) / count);
      }
    }
    const parts = times.services ?? [];
    const whole = (times.node ?? []).map(figures).join(', ');
    line(
      'one Service changed',
      `${parts.length === 0 ? 'never compared alone' : figures(median(parts))}; ${agent.peak()} MB at most, then ${agent.resident()}${whole === '' ? '' : `; as a whole ${whole}`}`,
    );
  } finally {
    agent.end();
    api.server.closeAllConnections();
    api.server.close();
  }
}

function figures(milliseconds: number): string {
  return milliseconds > 1000 ? `${(milliseconds / 1000).toFixed(1)} s` : `${milliseconds.toFixed(0)} ms`;
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((one, other) => one - other)[numbers.length >> 1] as number;
}

async function costOf(agent: RunningAgent, done: () => Promise<unknown>) {
  const [checks, cpu] = [await agent.checks(), agent.cpu()];
  await done();
  return { cpu: agent.cpu() - cpu, checks: Math.max(1, (await agent.checks()) - checks) };
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(500);
}

function objectsOf(folder: string, services: number, mode: string): readonly Item[] {
  const file = join(folder, 'cluster.json');
  makeCluster(file, { services, endpointsPerService: 10 }, 'json');
  const { items } = JSON.parse(readFileSync(file, 'utf8')) as { readonly items: readonly Item[] };
  const config = {
    kind: 'ConfigMap',
    apiVersion: 'v1',
    metadata: { name: 'kube-proxy', namespace: 'kube-system' },
    data: {
      'config.conf': `apiVersion: kubeproxy.config.k8s.io/v1alpha1\nkind: KubeProxyConfiguration\nmode: ${mode}\nclusterCIDR: 10.128.0.0/9\n`,
    },
  };
  const versioned = items.map((item) =>
    item.kind === 'Node'
      ? { ...item, status: { ...(item.status as object), nodeInfo: { kubeletVersion: 'v1.36.3' } } }
      : item,
  );
  return [...versioned, config];
}

/** The rules of a node if one slice is as given. */
function rulesOf(folder: string, items: readonly Item[], slice: Item, mode: string, name: string): string {
  const file = join(folder, `${name}.json`);
  const changed = items.map((item) =>
    item.kind === slice.kind && item.metadata.name === slice.metadata.name ? slice : item,
  );
  writeFileSync(file, JSON.stringify({ kind: 'List', apiVersion: 'v1', items: changed }));
  const to = join(folder, name);
  measure(['compile', '-q', '-f', file, '--node', 'node-1', '--out-dir', to], folder, 1);
  return join(to, mode === 'iptables' ? 'iptables.v4.save' : 'nft.v4.save');
}

/** Every program that an agent asks, so that none of this machine is. */
function writePrograms(folder: string, shown: string, mode: string): void {
  const shower = mode === 'iptables' ? 'iptables-nft-save' : 'nft';
  const others =
    'iptables-nft-save iptables-save iptables-legacy-save ip6tables-nft-save ip6tables-save ip6tables-legacy-save nft ipset ipvsadm ip bridge conntrack sysctl lsmod curl iptables uname';
  for (const program of others.split(' ')) {
    const file = join(folder, program);
    writeFileSync(file, program === shower ? `#!/bin/sh\ncat '${shown}'\n` : '#!/bin/sh\nexit 0\n');
    chmodSync(file, 0o755);
  }
}

const resources: Readonly<Record<string, string>> = {
  services: 'Service',
  endpointslices: 'EndpointSlice',
  nodes: 'Node',
  configmaps: 'ConfigMap',
  servicecidrs: 'ServiceCIDR',
};

interface SmallApi {
  readonly server: Server;
  readonly port: number;
  readonly change: (item: Item) => void;
}

function openApi(items: readonly Item[]): Promise<SmallApi> {
  const watches: { readonly kind: string; readonly response: ServerResponse }[] = [];
  let version = 1;
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const words = url.pathname.split('/');
    const found = words.findIndex((word) => word in resources);
    const kind = resources[words[found] ?? ''];
    const name = words[found + 1] ?? /metadata\.name=(.*)/.exec(url.searchParams.get('fieldSelector') ?? '')?.[1];
    const own = items.filter((item) => item.kind === kind && (name === undefined || item.metadata.name === name));
    response.setHeader('content-type', 'application/json');
    if (url.searchParams.get('watch') !== null) {
      watches.push({ kind: kind ?? '', response });
      response.flushHeaders();
    } else if (words[found + 1] !== undefined) {
      response.end(JSON.stringify(own[0] ?? {}));
    } else {
      const apiVersion = own[0]?.apiVersion ?? 'v1';
      const start = Number(url.searchParams.get('continue') ?? 0);
      const page = own.slice(start, start + Number(url.searchParams.get('limit') ?? own.length));
      const next = start + page.length < own.length ? { continue: String(start + page.length) } : {};
      const metadata = { resourceVersion: String(version), ...next };
      response.end(JSON.stringify({ kind: `${kind}List`, apiVersion, metadata, items: page }));
    }
  });
  const change = (item: Item) => {
    version += 1;
    const object = { ...item, metadata: { ...item.metadata, resourceVersion: String(version) } };
    for (const { kind, response } of watches)
      if (kind === item.kind) response.write(`${JSON.stringify({ type: 'MODIFIED', object })}\n`);
  };
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve({ server, port: (server.address() as AddressInfo).port, change }));
  });
}

interface RunningAgent {
  /** Milliseconds of CPU so far, without its programs. */
  readonly cpu: () => number;
  /** Megabytes that were resident at most. */
  readonly peak: () => number;
  /** Megabytes that are resident now. */
  readonly resident: () => number;
  readonly forgetPeak: () => void;
  readonly sample: (name: string) => Promise<number>;
  readonly checks: () => Promise<number>;
  readonly comparisons: () => Promise<Comparisons>;
  readonly end: () => void;
}

type Comparisons = Readonly<Record<'services' | 'node', { readonly count: number; readonly seconds: number }>> & {
  readonly all: number;
};

function openAgent(folder: string, port: number): RunningAgent {
  const kubeconfig = join(folder, 'kubeconfig');
  const cluster = { name: 'bench', cluster: { server: `http://127.0.0.1:${port}` } };
  const context = { name: 'bench', context: { cluster: 'bench', user: 'bench' } };
  const users = [{ name: 'bench', user: {} }];
  writeFileSync(
    kubeconfig,
    JSON.stringify({
      kind: 'Config',
      apiVersion: 'v1',
      clusters: [cluster],
      contexts: [context],
      users,
      'current-context': 'bench',
    }),
  );
  const listen = '127.0.0.1:19965';
  const words = ['agent', '--node', 'node-1', '--kubeconfig', kubeconfig, '--listen', listen];
  // The image holds an executable, which manages its memory in other ways.
  const [program = '', ...own] = process.env.BENCH_EXECUTABLE
    ? [process.env.BENCH_EXECUTABLE]
    : [process.execPath, new URL('../bin/k8snet.cjs', import.meta.url).pathname];
  const child: ChildProcess = spawn(program, [...own, ...words, '--interval', '1s', '--settle', '1s'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { PATH: `${join(folder, 'bin')}:/usr/bin:/bin`, HOME: folder },
  });
  const proc = (file: string) => readFileSync(`/proc/${child.pid}/${file}`, 'utf8');
  const sample = async (name: string) => {
    try {
      const text = await (await fetch(`http://${listen}/metrics`)).text();
      const line = text.split('\n').find((one) => one.startsWith(`${name} `));
      return line === undefined ? 0 : Number(line.slice(name.length + 1));
    } catch {
      return 0;
    }
  };
  return {
    // Fields 14 and 15 of stat, in hundredths of a second.
    cpu: () => {
      const fields = proc('stat')
        .replace(/^.*\) /, '')
        .split(' ');
      return (Number(fields[11]) + Number(fields[12])) * 10;
    },
    peak: () => Math.round(Number(/VmHWM:\s+(\d+)/.exec(proc('status'))?.[1]) / 1024),
    resident: () => Math.round(Number(/VmRSS:\s+(\d+)/.exec(proc('status'))?.[1]) / 1024),
    forgetPeak: () => writeFileSync(`/proc/${child.pid}/clear_refs`, '5'),
    sample,
    comparisons: async () => {
      const of = async (scope: string) => ({
        count: await sample(`k8snet_comparisons_total{scope="${scope}"}`),
        seconds: await sample(`k8snet_comparison_seconds_total{scope="${scope}"}`),
      });
      const [services, node] = [await of('services'), await of('node')];
      return { services, node, all: services.count + node.count };
    },
    checks: async () => {
      const results = await Promise.all(
        ['in_order', 'differs', 'unknown'].map((result) => sample(`k8snet_checks_total{result="${result}"}`)),
      );
      return results.reduce((sum, count) => sum + count, 0);
    },
    end: () => child.kill('SIGKILL'),
  };
}
