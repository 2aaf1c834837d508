import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { ProxyMode } from '../../src/common/proxyMode.ts';
import { type Namespace, openNamespace } from '../../src/lab/openNamespace.ts';
import { runIn } from '../../src/lab/runIn.ts';
import { type Api, openApi } from './api.ts';
import { controlPlane, proxyCommand } from './programs.ts';

/** A node that runs one real kube-proxy, and nothing else. */
export interface ProxyNode {
  readonly name: string;
  readonly version: string;
  readonly mode: Extract<ProxyMode, 'iptables' | 'nftables'>;
  readonly namespace: Namespace;
  /** The configuration of kube-proxy, a file. */
  readonly config: string;
  /** A new process makes a full sync; a running one makes one an hour, and what came apart meanwhile stays so. */
  readonly restart: () => Promise<void>;
  /** What kube-proxy wrote to its log. */
  readonly log: () => string;
}

/**
 * A real API server with etcd behind it, and a node a kube-proxy, each in an unnamed network namespace. Everything ends
 * with this process, in whatever way it ends.
 */
export interface Cluster {
  readonly api: Api;
  readonly nodes: readonly ProxyNode[];
  readonly close: () => Promise<void>;
}

const clusterCIDR = '10.244.0.0/16,fd00:10::/32';

export async function openCluster(proxies: readonly Pick<ProxyNode, 'version' | 'mode'>[]): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'k8snet-cluster-'));
  const open: Namespace[] = [];
  const running: ChildProcess[] = [];
  const start = (namespace: Namespace, name: string, command: readonly string[]) => {
    const child = startIn(namespace, join(folder, `${name}.log`), command);
    running.push(child);
    return child;
  };
  const close = async () => {
    for (const child of [...running].reverse()) child.kill('SIGKILL');
    await Promise.all(open.map((namespace) => namespace.close()));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const server = await openNamespace('control-plane');
    open.push(server);
    const names = proxies.map((_, at) => `n${at + 1}`);
    for (const name of names) open.push(await openNamespace(name, nodeSettings));
    await wire(server, open.slice(1));
    const api = await startApi(server, folder, start);
    await Promise.all(names.map((name, at) => createNode(api, name, at + 1)));
    const nodes = proxies.map(({ version, mode }, at): ProxyNode => {
      const name = names[at] as string;
      const namespace = open[at + 1] as Namespace;
      const config = join(folder, `${name}.yaml`);
      writeFileSync(config, proxyConfig(folder, name, mode));
      const command = proxyCommand(version);
      if (command === undefined) throw new Error(`kube-proxy ${version} was not built`);
      const run = () => start(namespace, name, [...command, '--config', config]);
      let child = run();
      const restart = async () => {
        const ended = new Promise((resolve) => child.once('exit', resolve));
        child.kill('SIGKILL');
        await ended;
        child = run();
      };
      return {
        name,
        version,
        mode,
        namespace,
        config,
        restart,
        log: () => readFileSync(join(folder, `${name}.log`), 'utf8'),
      };
    });
    return { api, nodes, close };
  } catch (problem) {
    await close();
    throw problem;
  }
}

/** Ends with this process: nobody else would stop it. */
function startIn(namespace: Namespace, log: string, command: readonly string[]): ChildProcess {
  const file = openSync(log, 'a');
  const into = ['--pdeathsig', 'KILL', '--', 'nsenter', `--net=/proc/${namespace.pid}/ns/net`, '--', ...command];
  return spawn('setpriv', into, { stdio: ['ignore', file, file] });
}

const nodeSettings = { 'net.ipv4.ip_forward': 1, 'net.ipv6.conf.all.forwarding': 1 };

/** One network: the server has its .1, node N .1N. */
async function wire(server: Namespace, nodes: readonly Namespace[]): Promise<void> {
  const lines = [
    'link add br0 type bridge',
    'link set br0 up',
    ...addresses(1).map((address) => `addr add ${address} dev br0 ${address.includes(':') ? 'nodad' : ''}`),
    ...nodes.flatMap(({ pid }, at) => [
      `link add v${at + 1} type veth peer name eth0 netns ${pid}`,
      `link set v${at + 1} master br0 up`,
    ]),
  ];
  await runIn(server, ['ip', '-batch', '-'], `${lines.join('\n')}\n`);
  for (const [at, node] of nodes.entries()) {
    const own = addresses(11 + at).map(
      (address) => `addr add ${address} dev eth0 ${address.includes(':') ? 'nodad' : ''}`,
    );
    await runIn(
      node,
      ['ip', '-batch', '-'],
      [...own, 'link set eth0 up', 'route add default via 192.168.77.1', ''].join('\n'),
    );
  }
}

function addresses(end: number): readonly string[] {
  return [`192.168.77.${end}/24`, `fd77::${end}/64`];
}

async function startApi(
  server: Namespace,
  folder: string,
  start: (namespace: Namespace, name: string, command: readonly string[]) => ChildProcess,
): Promise<Api> {
  const file = (name: string) => join(folder, name);
  mkdirSync(file('certs'));
  execFileSync('openssl', ['genrsa', '-out', file('account.key'), '2048'], { stdio: 'ignore' });
  writeFileSync(file('tokens.csv'), 'admin-token,admin,admin,system:masters\n');
  writeFileSync(file('kubeconfig'), kubeconfig);
  start(server, 'etcd', [
    'etcd',
    ...['--data-dir', file('etcd'), '--unsafe-no-fsync'],
    ...['--listen-client-urls', 'http://127.0.0.1:2379', '--advertise-client-urls', 'http://127.0.0.1:2379'],
    ...['--listen-peer-urls', 'http://127.0.0.1:2380'],
  ]);
  start(server, 'api', [
    controlPlane,
    'kube-apiserver',
    ...[
      '--etcd-servers=http://127.0.0.1:2379',
      `--cert-dir=${file('certs')}`,
      `--token-auth-file=${file('tokens.csv')}`,
    ],
    ...['--bind-address=192.168.77.1', '--advertise-address=192.168.77.1', '--authorization-mode=RBAC'],
    '--service-cluster-ip-range=10.96.0.0/16,fd00:96::/112',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${file('account.key')}`,
    `--service-account-signing-key-file=${file('account.key')}`,
  ]);
  const socket = file('api.sock');
  start(server, 'proxy', [
    controlPlane,
    'kubectl',
    '--kubeconfig',
    file('kubeconfig'),
    'proxy',
    `--unix-socket=${socket}`,
  ]);
  const api = openApi(socket);
  await until('the API server is ready', 120_000, async () => (await api.tryGet('/readyz')) !== undefined);
  return api;
}

const kubeconfig = `apiVersion: v1
kind: Config
clusters: [{name: test, cluster: {server: "https://192.168.77.1:6443", insecure-skip-tls-verify: true}}]
users: [{name: admin, user: {token: admin-token}}]
contexts: [{name: test, context: {cluster: test, user: admin}}]
current-context: test
`;

function proxyConfig(folder: string, node: string, mode: string): string {
  return `apiVersion: kubeproxy.config.k8s.io/v1alpha1
kind: KubeProxyConfiguration
clientConnection: {kubeconfig: ${join(folder, 'kubeconfig')}}
mode: ${mode}
hostnameOverride: ${node}
clusterCIDR: ${clusterCIDR}
iptables: {minSyncPeriod: 100ms, syncPeriod: 10s}
nftables: {minSyncPeriod: 100ms, syncPeriod: 10s}
conntrack: {maxPerCore: 0, tcpEstablishedTimeout: 0s, tcpCloseWaitTimeout: 0s}
`;
}

async function createNode(api: Api, name: string, number: number): Promise<void> {
  await api.create('/api/v1/nodes', {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      labels: { 'kubernetes.io/hostname': name, 'topology.kubernetes.io/zone': `z${1 + (number % 2)}` },
    },
    spec: { podCIDRs: [`10.244.${number}.0/24`, `fd00:10:${number}::/64`], podCIDR: `10.244.${number}.0/24` },
  });
  await api.patch(`/api/v1/nodes/${name}/status`, {
    status: {
      addresses: [
        { type: 'InternalIP', address: `192.168.77.${10 + number}` },
        { type: 'InternalIP', address: `fd77::${10 + number}` },
        { type: 'Hostname', address: name },
      ],
    },
  });
}

/** Waits for a state; the time only bounds how long a failure takes. */
export async function until(what: string, milliseconds: number, holds: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + milliseconds;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`not within ${milliseconds / 1000} s: ${what}`);
    await wait(100);
  }
}
