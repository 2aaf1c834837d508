import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadRules } from '../../../src/lab/loadRules.ts';
import type { LabNetwork } from '../../../src/lab/network/labNetwork.ts';
import { type Lab, machine, openLab } from '../../../src/lab/openLab.ts';
import { runProbes } from '../../../src/lab/probes/runProbes.ts';
import { runIn } from '../../../src/lab/runIn.ts';
import { runCli } from '../runCli.ts';
import type { HealthyCase } from './healthyCase.ts';
import { clusterHosts, clusterNodes, clusterPods } from './healthyCluster.ts';
import { healthyPackets } from './healthyPackets.ts';

/** What a healthy node shows, and what its packets meet. */
export interface HealthyRun {
  /** Files of the dump by their paths, as `k8snet collect` saves them. */
  readonly dump: ReadonlyMap<string, string>;
  /** A line a packet: who asks whom, and what comes of it. */
  readonly packets: string;
}

/**
 * Builds the cluster of a case out of network namespaces, loads what kube-proxy, kubelet and the other program put on its
 * node n1, in that order in which `node.sh` has it, saves what the node's tools show, and sends packets.
 */
export async function runHealthyCase(healthy: HealthyCase): Promise<HealthyRun> {
  const lab = await openLab(networkOf(healthy));
  try {
    const node = machine(lab, 'n1');
    const said = await loadRules(node, scriptOf(healthy), healthy.backend);
    if (said !== undefined) throw new Error(`${healthy.name}: node.sh: ${said}`);
    for (const { protocol, address, port, name } of healthy.servers ?? []) {
      const [outcome] = await node.ask('listen', protocol, address, port, name);
      if (outcome !== 'ok') throw new Error(`${healthy.name}: nothing can listen on ${address}:${port}`);
    }
    const dump = await collect(lab);
    return { dump, packets: await send(lab, healthy) };
  } finally {
    await lab.close();
  }
}

function networkOf({ shape, network }: HealthyCase): LabNetwork {
  return {
    ...network,
    nodes: clusterNodes(shape).map((node) => ({ ...node, ...(node.name !== 'n1' && { gateway: 'n1' }) })),
    pods: clusterPods(shape).map((pod) => ({ ...pod, node: pod.node as string })),
    hosts: clusterHosts(shape).map((host) => ({ ...host, gateway: 'n1' })),
  };
}

/** What `node.sh` can call: `kubelet`, `kube_proxy` and `kube_router` write what these write at their start. */
function scriptOf(healthy: HealthyCase): string {
  const { folder, args, shape } = healthy;
  return [
    'set -eu',
    asFunction('kube_proxy', compiled(healthy, ['--policy', 'off'])),
    ...(shape.hasPolicy ? [asFunction('kube_router', compiled(healthy, routerOptions))] : []),
    ...(kubeMinor(args) < 27 ? [markDrop] : ['mark_drop() { :; }']),
    kubelet,
    readFileSync(join(folder, 'node.sh'), 'utf8'),
  ].join('\n');
}

const routerOptions = ['--policy', 'iptables', '--policy-layout', 'kube-router', '--policy-only'];

function compiled({ folder, args, name }: HealthyCase, options: readonly string[]): string {
  const compile = ['compile', '-f', join(folder, 'manifests.yaml'), '--node', 'n1', ...args, ...options];
  const { status, stdout, stderr } = runCli([...compile, '-o', 'script']);
  if (status !== 0) throw new Error(`${name}: compile: ${stderr}`);
  return stdout;
}

function asFunction(name: string, script: string): string {
  return [`${name}() {`, `sh -s <<'end of ${name}'`, script.trimEnd(), `end of ${name}`, '}'].join('\n');
}

/** Through 1.26 kubelet also had the chain that marks what is dropped, which kube-proxy jumped to. */
function kubeMinor(args: readonly string[]): number {
  return Number(/--kube-version 1\.(\d+)/.exec(args.join(' '))?.[1]);
}

const markDrop = `
mark_drop() {
  for tool in iptables ip6tables; do
    $tool-restore --noflush <<'end of marks'
*nat
:KUBE-MARK-DROP - [0:0]
-A KUBE-MARK-DROP -j MARK --set-xmark 0x8000/0x8000
COMMIT
*filter
:KUBE-FIREWALL - [0:0]
-A KUBE-FIREWALL -m comment --comment "kubernetes firewall for dropping marked packets" -m mark --mark 0x8000/0x8000 -j DROP
COMMIT
end of marks
  done
}
`;

/** kubelet's chains: a mark that its variant of iptables is in use, and its guard of loopback addresses. */
const kubelet = `
kubelet() {
  for tool in iptables ip6tables; do
    $tool-restore --noflush <<'end of kubelet'
*mangle
:KUBE-IPTABLES-HINT - [0:0]
:KUBE-KUBELET-CANARY - [0:0]
COMMIT
*nat
:KUBE-KUBELET-CANARY - [0:0]
COMMIT
*filter
:KUBE-KUBELET-CANARY - [0:0]
:KUBE-FIREWALL - [0:0]
-I INPUT -j KUBE-FIREWALL
-I OUTPUT -j KUBE-FIREWALL
COMMIT
end of kubelet
  done
  mark_drop
  iptables -A KUBE-FIREWALL ! -s 127.0.0.0/8 -d 127.0.0.0/8 -m comment --comment "block incoming localnet connections" -m conntrack ! --ctstate RELATED,ESTABLISHED,DNAT -j DROP
}
`;

async function collect(lab: Lab): Promise<ReadonlyMap<string, string>> {
  const { stdout: script } = runCli(['collect', '-o', 'script', '--from', 'node']);
  const place = mkdtempSync(join(tmpdir(), 'k8snet-healthy-'));
  try {
    const folder = join(place, 'n1');
    await runIn(machine(lab, 'n1'), ['sh', '-s', folder], script);
    return new Map(kept(folder).map((path) => [path, withoutTimes(readFileSync(join(folder, path), 'utf8'))]));
  } finally {
    rmSync(place, { recursive: true });
  }
}

/** What `doctor` and `diff` read of it, and the settings; not what differs from machine to machine. */
function kept(folder: string): readonly string[] {
  const dumps = readdirSync(join(folder, 'dumps')).sort();
  const facts = readdirSync(join(folder, 'facts')).filter((file) => /^(?:sysctl|policy-rules)/.test(file));
  return [...dumps.map((file) => `dumps/${file}`), ...facts.sort().map((file) => `facts/${file}`)];
}

/** A second run prints the same. */
function withoutTimes(text: string): string {
  return text
    .replace(/^(# (?:Generated|Completed).* on ).*$/gm, '$1Thu Jan  1 00:00:00 2026')
    .replace(/^\[\d+:\d+\] /gm, '[0:0] ')
    .replace(/^(:\S+ \S+) \[\d+:\d+\]$/gm, '$1 [0:0]')
    .replace(/\bpackets \d+ bytes \d+/g, 'packets 0 bytes 0')
    .replace(/^(net\.netfilter\.nf_conntrack_count = ).*$/gm, '$10');
}

/** So many connections that one of two endpoints is missed once in thousands of runs. */
const connections = 14;

async function send(lab: Lab, { shape, needsGuest = false }: HealthyCase): Promise<string> {
  const packets = healthyPackets(shape);
  const outcomes = await runProbes(
    lab,
    packets.map(({ from, to, port, protocol }) => ({
      from,
      to,
      port,
      protocol,
      count: connections,
      timeoutMs: needsGuest ? 6000 : 2000,
    })),
  );
  const lines = packets.map(({ source, to, port, protocol }, at) => {
    const met = new Set(
      (outcomes[at] ?? []).map((each) => (each.kind === 'answered' ? `${each.by} sees ${each.sawSource}` : each.kind)),
    );
    const end = to.includes(':') ? `[${to}]:${port}` : `${to}:${port}`;
    return `${source} ${end}/${protocol} ${[...met].sort().join(', ')}`;
  });
  return `${lines.join('\n')}\n`;
}
