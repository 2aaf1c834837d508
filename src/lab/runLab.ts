import { modeFacts } from '../common/proxy/modeFacts.ts';
import type { NodeRules } from '../node/nodeRules.ts';
import type { Compiled } from '../pipeline/compile.ts';
import type { EndpointHome } from '../pipeline/search/endpointHomes.ts';
import { createNodeTracer } from '../trace/nodeTracer.ts';
import { dumpNode } from './dumpNode.ts';
import { type LabCluster, type LabNode, labCluster } from './labCluster.ts';
import { type IptablesBackend, loadRules } from './loadRules.ts';
import { labClients } from './network/labClients.ts';
import { type LabMachines, labNetworkOf, type PodNetwork } from './network/labNetworkOf.ts';
import { type Lab, machine, openLab } from './openLab.ts';
import { type AskedProbe, type AskedProtocol, askedProbes } from './probes/askedProbes.ts';
import { askProbes, createAskProbe } from './probes/askProbes.ts';
import { compareProbes } from './probes/compareProbes.ts';
import { defaultProbes } from './probes/defaultProbes.ts';
import { forgetClients } from './probes/forgetClients.ts';
import type { LabProbe } from './probes/labProbe.ts';
import type { ProbeResult } from './probes/labResult.ts';
import { predictProbe } from './probes/predictProbe.ts';

/** What a lab is asked to do. */
export interface LabRequest {
  /** Each node that gets rules, with the script that loads them; the tested one first. */
  readonly nodes: readonly [RuledNode, ...RuledNode[]];
  /** Where endpoints are, by address. */
  readonly homes: ReadonlyMap<string, EndpointHome>;
  /** Empty: everybody asks every address of every Service. */
  readonly asked: readonly AskedProbe[];
  readonly protocol: AskedProtocol | undefined;
  /** Of the default probes only those of this Service. */
  readonly service: string | undefined;
  /** Connections of a probe; where lab and walk are compared, as many as that takes. */
  readonly count: number;
  readonly timeoutMs: number;
  readonly isCompared: boolean;
  readonly backend: IptablesBackend | undefined;
  readonly network: PodNetwork;
}

interface RuledNode {
  readonly compiled: Compiled;
  readonly script: string;
}

export type LabAnswer = LabReport | { readonly kind: 'problem'; readonly message: string };

export interface LabReport {
  readonly kind: 'report';
  readonly cluster: LabCluster;
  readonly results: readonly ProbeResult[];
}

/** Builds the cluster of the manifests out of network namespaces, sends the probes and takes everything down again. */
export async function runLab(request: LabRequest, progress: (text: string) => void): Promise<LabAnswer> {
  const { nodes, network } = request;
  const [first, ...others] = nodes.map(({ compiled }) => compiled);
  const compiled = [first as Compiled, ...others] as const;
  const cluster = labCluster(compiled, request.homes);
  const clients = labClients(cluster, compiled);
  const probes =
    request.asked.length > 0
      ? askedProbes(request.asked, request.protocol, cluster, clients, compiled)
      : defaultProbes(cluster, clients, compiled).filter((probe) => isOf(probe, request.service));
  if (typeof probes === 'string') return { kind: 'problem', message: probes };
  if (probes.length === 0) return { kind: 'problem', message: nothingAsked(request.service) };
  const asking = new Set(probes.map(({ from }) => from).filter(({ kind }) => kind !== 'node'));
  // The first host outside takes what nobody knows the way to.
  const [outside] = clients.hosts;
  const machines = labNetworkOf(cluster, new Set([...(outside ? [outside] : []), ...asking]), network);
  const size = machines.network.pods.length + machines.network.hosts.length + machines.network.nodes.length;
  if (size > mostMachines)
    return {
      kind: 'problem',
      message: `the lab would need ${size} machines: choose a Service with --service, or a node`,
    };
  const lab = await openLab(machines.network);
  try {
    progress(`${size} machines`);
    const problem = await loadAll(lab, request, cluster);
    if (problem !== undefined) return { kind: 'problem', message: problem };
    progress('rules loaded');
    const results = await ask(lab, machines, cluster, probes, request, progress);
    return { kind: 'report', cluster, results };
  } finally {
    await lab.close();
  }
}

/** Each is a process, and a namespace of the kernel. */
const mostMachines = 400;

function isOf({ service = '' }: LabProbe, wanted: string | undefined): boolean {
  return wanted === undefined || service === wanted || service.startsWith(`${wanted}:`);
}

function nothingAsked(service: string | undefined): string {
  return service === undefined
    ? 'the manifests have no Service with an address that could be asked: give probes with --probe'
    : `the manifests have no Service ${service} with an address that could be asked`;
}

async function loadAll(lab: Lab, { nodes, backend }: LabRequest, cluster: LabCluster): Promise<string | undefined> {
  for (const { compiled, script } of nodes) {
    const { name } = compiled.model.node;
    const party = cluster.nodes.find(({ node }) => node === name) as LabNode;
    const refusal = await loadRules(machine(lab, party.name), script, backend);
    if (refusal !== undefined) return `the rules of ${name} do not load: ${refusal}`;
  }
  return undefined;
}

async function ask(
  lab: Lab,
  machines: LabMachines,
  cluster: LabCluster,
  probes: readonly LabProbe[],
  { count, timeoutMs, isCompared, nodes }: LabRequest,
  progress: (text: string) => void,
): Promise<readonly ProbeResult[]> {
  const askProbe = createAskProbe(lab, machines);
  if (!isCompared) return askProbes(probes, askProbe, count, timeoutMs);
  const ruled = cluster.nodes.filter(({ hasRules }) => hasRules);
  const dumps = new Map<LabNode, NodeRules>();
  for (const node of ruled)
    dumps.set(node, withFacts(await dumpNode(machine(lab, node.name), node.node), node, machines));
  progress('rules read back');
  const tracers = new Map([...dumps].map(([node, rules]) => [node.node, createNodeTracer(rules)]));
  const walked = { tested: cluster.tested, tracers, parties: [...machines.machineOf.keys()] };
  const forget = async () => {
    await Promise.all([...dumps].map(([node, rules]) => forgetClients(machine(lab, node.name), rules)));
  };
  const isForgetful = nodes.every(({ compiled }) => !modeFacts[compiled.model.config.mode].usesIpvs);
  return compareProbes(probes, {
    ask: askProbe,
    predict: (probe, seen) => predictProbe(walked, probe, seen),
    forget: isForgetful ? forget : undefined,
    timeoutMs,
  });
}

/** Which Pods are behind which interface no tool of the node shows where they hang on a bridge. */
function withFacts(rules: NodeRules, node: LabNode, { network, machineOf }: LabMachines): NodeRules {
  const here = network.pods.filter((pod) => pod.node === node.name);
  const prefix = network.podInterfacePrefix ?? 'veth';
  const machines = new Map(here.map((pod, index) => [pod.name, `${prefix}${index}`]));
  const parties = [...machineOf];
  const pods = parties
    .filter(([{ kind }]) => kind === 'pod')
    .map(([{ name, addresses, node: home = '' }, at]) => {
      const device = home === node.node ? machines.get(at) : undefined;
      return { name, ips: addresses, node: home, ...(device !== undefined && { interface: device }) };
    });
  const hosts = parties
    .filter(([party]) => party.kind !== 'pod' && party !== node)
    .map(([{ name, addresses }]) => ({ name, ips: addresses }));
  return { ...rules, network: { ...rules.network, node: node.node, pods, hosts } };
}
