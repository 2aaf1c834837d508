import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { benchNode } from './cluster.ts';
import { makeCluster } from './makeCluster.ts';
import { type Measurement, measure } from './measure.ts';

/**
 * The table of what speed is judged by: whole processes, each beside what it is compared with in the same run. Set
 * BENCH_KUBE_PROXY to a command that reads the same file and writes its restore text to compare with it (`$1` is the file).
 */
export function benchGoals(scratch: string, runs: number): void {
  console.log(
    `${cpus().length} x ${cpus()[0]?.model.trim()}, ${(totalmem() / 2 ** 30).toFixed(0)} GiB, Node ${process.version}`,
  );
  console.log(`work (median of ${runs})                    wall ms   CPU ms     MB  ratio`);
  const json = join(scratch, 'goals.json');
  const size = { services: 10_000, endpointsPerService: 10 };
  makeCluster(json, size, 'json');
  const compile = (file: string, ...more: string[]) =>
    measure(['compile', '-q', '-f', file, '--node', benchNode, ...more], scratch, runs);
  const restore = compile(json, '-o', 'restore');
  const proxy = kubeProxy(json, runs);
  row('10k x 10, JSON to restore', restore, proxy === undefined ? undefined : [restore.wallMs / proxy, 'kube-proxy']);
  const against = (measured: Measurement): [number, string] => [measured.wallMs / restore.wallMs, 'restore'];
  const save = compile(json, '-o', 'save');
  row('  to save', save, against(save));
  const nft = compile(json, '-o', 'restore', '--mode', 'nftables', '--kube-version', '1.30');
  row('  to nftables restore (1.30)', nft, against(nft));

  const yaml = join(scratch, 'goals.yaml');
  makeCluster(yaml, size, 'yaml');
  const documents = compile(yaml, '-o', 'restore');
  row('  from YAML documents', documents, against(documents));
  writeFileSync(yaml, asList(readFileSync(yaml, 'utf8')));
  const list = compile(yaml, '-o', 'restore');
  row('  from one YAML List', list, against(list));

  makeCluster(json, { services: 1000, endpointsPerService: 500 }, 'json');
  const wide = compile(json, '-o', 'restore');
  row('1k x 500, JSON to restore', wide, against(wide));
  makeCluster(json, { services: 100_000, endpointsPerService: 5 }, 'json');
  const long = measure(['compile', '-q', '-f', json, '--node', benchNode, '-o', 'restore'], scratch, 1);
  row('100k x 5, JSON to restore (once)', long, against(long));

  writeFileSync(json, policyList(200, 5000, []));
  const policies = ['compile', '-q', '-f', json, '--node', benchNode, '--policy-only', '--policy'];
  row('200 policies x 5000 blocks, nftables', measure([...policies, 'nftables'], scratch, runs), undefined);
  row('  iptables', measure([...policies, 'iptables'], scratch, runs), undefined);
  writeFileSync(json, policyList(1, 1_000_000, []));
  row('1 policy x 1000000 blocks, nftables', measure([...policies, 'nftables'], scratch, runs), undefined);
  row('  iptables', measure([...policies, 'iptables'], scratch, runs), undefined);
  const holes = Array.from({ length: 5000 }, (_, at) => block(2 * at));
  writeFileSync(json, policyList(1, 1, holes));
  row('one block with 5000 exceptions, nftables', measure([...policies, 'nftables'], scratch, runs), undefined);
  console.log('');
}

/** Policies of blocks that do not touch, for the Pods of one node; with `except` their one block is everything. */
function policyList(policies: number, blocks: number, except: readonly string[]): string {
  const pod = (at: number) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `pod-${at}`, namespace: 'shop', labels: { app: `app-${at}` } },
    spec: { nodeName: benchNode, containers: [{ name: 'main' }] },
    status: { phase: 'Running', podIP: `10.244.0.${at + 1}`, podIPs: [{ ip: `10.244.0.${at + 1}` }] },
  });
  const peer = (at: number) => ({
    ipBlock: except.length > 0 ? { cidr: '0.0.0.0/0', except } : { cidr: block(2 * at) },
  });
  const policy = (at: number) => ({
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: `policy-${at}`, namespace: 'shop' },
    spec: {
      podSelector: { matchLabels: { app: `app-${at % 10}` } },
      policyTypes: ['Ingress'],
      ingress: [
        { from: Array.from({ length: blocks }, (_, index) => peer(at * blocks + index)), ports: [{ port: 80 }] },
      ],
    },
  });
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: benchNode } };
  const items = [
    node,
    ...Array.from({ length: 10 }, (_, at) => pod(at)),
    ...Array.from({ length: policies }, (_, at) => policy(at)),
  ];
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
}

/** The network of sixteen addresses with this number, from 20.0.0.0 on. */
function block(number: number): string {
  const first = 20 * 2 ** 24 + number * 16;
  return `${first >>> 24}.${(first >>> 16) & 255}.${(first >>> 8) & 255}.${first & 255}/28`;
}

/** Median wall time of the real one, where there is one. */
function kubeProxy(file: string, runs: number): number | undefined {
  const command = process.env.BENCH_KUBE_PROXY;
  if (command === undefined) return undefined;
  const times = Array.from({ length: runs }, () => {
    const start = performance.now();
    const { status } = spawnSync('sh', ['-c', command, 'sh', file], { stdio: 'ignore' });
    if (status !== 0) throw new Error(`BENCH_KUBE_PROXY ended with ${status}`);
    return performance.now() - start;
  });
  return times.sort((a, b) => a - b)[runs >> 1];
}

/** The documents as items of one List, as `kubectl get -o yaml` prints them. */
function asList(text: string): string {
  const items = text.split('---\n').filter((document) => document !== '');
  return `apiVersion: v1\nkind: List\nitems:\n${items.map((item) => `- ${item.trimEnd().replaceAll('\n', '\n  ')}\n`).join('')}`;
}

function row(what: string, { wallMs, cpuMs, peakMB }: Measurement, ratio: readonly [number, string] | undefined): void {
  const [wall, cpu, memory] = [wallMs, cpuMs, peakMB].map((figure) => figure.toFixed(0));
  const text = ratio === undefined ? '' : `  ${ratio[0].toFixed(2)} x ${ratio[1]}`;
  console.log(`${what.padEnd(38)}${wall?.padStart(9)}${cpu?.padStart(9)}${memory?.padStart(7)}${text}`);
}
