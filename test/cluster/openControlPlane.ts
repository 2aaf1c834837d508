import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Namespace, openNamespace } from '../../src/lab/openNamespace.ts';
import { runIn } from '../../src/lab/runIn.ts';
import { type Api, openApi } from './api.ts';
import { controlPlane, kubectlProgram } from './programs.ts';
import { until } from './until.ts';

/**
 * A real API server with etcd behind it, in an unnamed network namespace that nodes are wired to. Everything ends with
 * this process, in whatever way it ends.
 */
export interface ControlPlane {
  readonly api: Api;
  /** Holds the kubeconfig, logs and whatever a node needs; gone with the rest. */
  readonly folder: string;
  /** Where the API server listens. */
  readonly server: Namespace;
  /** A folder with a `kubectl` that reaches it, for the PATH; what it is asked goes to the file KUBECTL_LOG, if one is named. */
  readonly programs: string;
  /** A namespace whose eth0 reaches the API server; its address there ends with `end`, from 11 on. */
  readonly openNode: (name: string, end: number) => Promise<Namespace>;
  /** Runs a program in a namespace until it ends or all does; what it prints goes to NAME.log. */
  readonly start: (namespace: Namespace, name: string, command: readonly string[], path?: string) => ChildProcess;
  readonly close: () => Promise<void>;
}

export async function openControlPlane(serviceRanges: string, isAudited = false): Promise<ControlPlane> {
  const folder = mkdtempSync(join(tmpdir(), 'k8snet-cluster-'));
  const open: Namespace[] = [];
  const running: ChildProcess[] = [];
  const start: ControlPlane['start'] = (namespace, name, command, path) => {
    const child = startIn(namespace, join(folder, `${name}.log`), command, path);
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
    const addresses = addressesOf(1).map((address) => `addr add ${address} dev br0${withoutDetection(address)}`);
    await batch(server, ['link add br0 type bridge', 'link set br0 up', ...addresses]);
    const programs = kubectlFolder(folder, server);
    let links = 0;
    const openNode = async (name: string, end: number) => {
      const node = await openNamespace(name, nodeSettings);
      open.push(node);
      // A link goes some time after its namespace: no name is used twice.
      links += 1;
      await wire(server, node, `v${links}`, end);
      writeFileSync(join(programs, `${name}.pid`), String(node.pid));
      return node;
    };
    const ranges = [`--service-cluster-ip-range=${serviceRanges}`];
    const api = await startApi(server, folder, isAudited ? [...ranges, ...auditFlags(folder)] : ranges, start);
    return { api, folder, server, programs, openNode, start, close };
  } catch (problem) {
    await close();
    throw problem;
  }
}

/**
 * The real kubectl, in the network of the API server. There are no kubelets, so `exec` is imitated: whether it is allowed
 * the API server says, and the program runs in the network namespace of the node, which Pods of kube-proxy share.
 */
function kubectlFolder(folder: string, { pid }: Namespace): string {
  const programs = join(folder, 'programs');
  mkdirSync(programs);
  const script = `#!/bin/bash
if [[ -n $KUBECTL_LOG ]]; then
  echo "$*" >>"$KUBECTL_LOG"
  # What a proxy is asked would not be in the log.
  [[ " $* " != *' proxy '* ]] || exit 1
fi
# It lives for a moment: to tidy up its memory is more work than to leave it.
kubectl() { GOGC=400 nsenter --net=/proc/${pid}/ns/net -- ${kubectlProgram} "$@"; }
flags=()
while [[ $1 == --* ]]; do flags+=("$1"); shift; done
[[ $1 == exec ]] || { kubectl "\${flags[@]}" "$@"; exit; }
for word; do [[ $word != kube-proxy-* ]] || pod=$word; done
if ! kubectl "\${flags[@]}" auth can-i -q create pods --subresource=exec -n kube-system; then
  echo "Error from server (Forbidden): pods \\"$pod\\" is forbidden: User cannot create resource \\"pods/exec\\"" >&2
  exit 1
fi
while [[ $1 != -- ]]; do shift; done
shift
exec nsenter --net=/proc/$(<${programs}/\${pod#kube-proxy-}.pid)/ns/net -- "$@"
`;
  writeFileSync(join(programs, 'kubectl'), script, { mode: 0o755 });
  return programs;
}

/** Ends with this process: nobody else would stop it. */
function startIn(namespace: Namespace, log: string, command: readonly string[], path?: string): ChildProcess {
  const file = openSync(log, 'a');
  const into = ['--pdeathsig', 'KILL', '--', 'nsenter', `--net=/proc/${namespace.pid}/ns/net`, '--', ...command];
  const env = path === undefined ? process.env : { ...process.env, PATH: path };
  return spawn('setpriv', into, { stdio: ['ignore', file, file], env });
}

// A bridge with hairpins gets its own question back whether an address is taken: it must not ask.
const nodeSettings = {
  'net.ipv4.ip_forward': 1,
  'net.ipv6.conf.all.forwarding': 1,
  'net.ipv6.conf.default.accept_dad': 0,
};

/** One network, in which the server has the address that ends with 1. */
async function wire(server: Namespace, node: Namespace, link: string, end: number): Promise<void> {
  await batch(server, [
    `link add ${link} type veth peer name eth0 netns ${node.pid}`,
    `link set ${link} master br0 up`,
  ]);
  const own = addressesOf(end).map((address) => `addr add ${address} dev eth0${withoutDetection(address)}`);
  // Addresses are those that are given: none is made of the link's own. Whoever forwards IPv6 asks for neighbours by an
  // address of the link alone.
  await batch(node, [
    'link set eth0 addrgenmode none',
    ...own,
    `addr add fe80::${end}/64 dev eth0 nodad`,
    'link set eth0 up',
    'route add default via 192.168.77.1',
  ]);
}

async function batch(namespace: Namespace, lines: readonly string[]): Promise<void> {
  await runIn(namespace, ['ip', '-batch', '-'], `${lines.join('\n')}\n`);
}

function addressesOf(end: number): readonly string[] {
  return [`192.168.77.${end}/24`, `fd77::${end}/64`];
}

function withoutDetection(address: string): string {
  return address.includes(':') ? ' nodad' : '';
}

async function startApi(
  server: Namespace,
  folder: string,
  flags: readonly string[],
  start: ControlPlane['start'],
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
    ...flags,
    // A kubelet is asked by its address: nobody knows its name.
    '--kubelet-preferred-address-types=InternalIP',
    // As kubeadm starts it: kube-proxy is privileged.
    '--allow-privileged=true',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${file('account.key')}`,
    `--service-account-signing-key-file=${file('account.key')}`,
  ]);
  const socket = file('api.sock');
  start(server, 'proxy', [kubectlProgram, '--kubeconfig', file('kubeconfig'), 'proxy', `--unix-socket=${socket}`]);
  const api = openApi(socket);
  await until('the API server is ready', 120_000, async () => (await api.tryGet('/readyz')) !== undefined);
  return api;
}

/** One line a request that was answered, and one more for a watch that began. */
function auditFlags(folder: string): readonly string[] {
  const policy = join(folder, 'audit.yaml');
  const omitStages = ['RequestReceived', 'Panic'];
  const rules = [{ level: 'Metadata' }];
  writeFileSync(policy, JSON.stringify({ apiVersion: 'audit.k8s.io/v1', kind: 'Policy', omitStages, rules }));
  return [`--audit-policy-file=${policy}`, `--audit-log-path=${join(folder, 'audit.log')}`];
}

const kubeconfig = `apiVersion: v1
kind: Config
clusters: [{name: test, cluster: {server: "https://192.168.77.1:6443", insecure-skip-tls-verify: true}}]
users: [{name: admin, user: {token: admin-token}}]
contexts: [{name: test, context: {cluster: test, user: admin}}]
current-context: test
`;
