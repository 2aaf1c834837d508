import type { Family } from '../../common/addresses/family.ts';
import { familyOf } from '../../common/addresses/ip.ts';
import type { Diagnostic, Report } from '../../diagnostics/diagnostic.ts';
import { hostPortsOfSpec } from '../../model/hostPortsOf.ts';
import { podsOfWorkloads } from '../../model/podsOfWorkloads.ts';
import { nameOf, namespaceOf } from '../../validate/fields/describe.ts';
import { isFinished } from '../../validate/isFinished.ts';
import type { Manifest } from '../../validate/kinds/manifest.ts';
import type { Manifests, PodObject, WorkloadObject } from '../../validate/kinds/manifests.ts';
import type { BalancerNode } from './balancerNodes.ts';
import type { BalancerOptions, Check, Listener } from './balancerPlan.ts';

/**
 * Listeners for the host ports of workloads or Pods (`namespace/name`), as an Ingress controller has them: each port is
 * balanced over the nodes with one of their Pods. Of a DaemonSet whose Pods are not given that is every node. Undefined: an
 * error was reported.
 */
export function hostPortListeners(
  manifests: Pick<Manifests, 'workloads' | 'pods'>,
  nodes: readonly BalancerNode[],
  options: BalancerOptions,
  report: Report,
): readonly Listener[] | undefined {
  const listeners: Listener[] = [];
  let isComplete = true;
  for (const name of options.hostPorts ?? []) {
    const owner = ownerOf(name, manifests);
    const found = typeof owner === 'string' ? owner : listenersOf(owner, nodes, options, report);
    if (typeof found !== 'string') {
      listeners.push(...found);
      continue;
    }
    isComplete = false;
    report({ code: 'bad-option', severity: 'error', message: `--host-ports ${name}: ${found}`, at: [] });
  }
  return isComplete ? listeners : undefined;
}

interface HostPortOwner {
  readonly id: string;
  readonly kind: string;
  readonly manifest: Manifest<WorkloadObject | PodObject>;
  readonly spec: Parameters<typeof hostPortsOfSpec>[0];
  /** Names of nodes; undefined: no Pod of it is given. */
  readonly nodes: ReadonlySet<string> | undefined;
}

/** A text: what is wrong with the name. */
function ownerOf(name: string, { workloads, pods }: Pick<Manifests, 'workloads' | 'pods'>): HostPortOwner | string {
  const workload = workloads.find(({ value }) => nameOf(value.metadata) === name);
  const pod = pods.find(({ value }) => nameOf(value.metadata) === name);
  if (workload !== undefined) {
    const given = podsOfWorkloads([workload], pods).get(workload);
    const { kind, spec } = workload.value;
    const owner = { id: name, kind, manifest: workload, spec: spec.template?.spec };
    return { ...owner, nodes: given && nodesOf(given) };
  }
  if (pod === undefined) return 'the input has no workload or Pod of that name';
  return { id: name, kind: 'Pod', manifest: pod, spec: pod.value.spec, nodes: nodesOf([pod]) };
}

function nodesOf(pods: readonly Manifest<PodObject>[]): ReadonlySet<string> {
  return new Set(pods.flatMap(({ value }) => (isFinished(value) ? [] : (value.spec?.nodeName ?? []))));
}

function listenersOf(
  owner: HostPortOwner,
  nodes: readonly BalancerNode[],
  options: BalancerOptions,
  report: Report,
): readonly Listener[] | string {
  const { id, kind, manifest } = owner;
  const say = (code: Diagnostic['code'], severity: Diagnostic['severity'], message: string): void =>
    report({ code, severity, message, at: [manifest.origin] });
  const ports = hostPortsOfSpec(owner.spec);
  if (ports.length === 0) return `no container of ${kind} ${id} has a hostPort`;
  if (owner.nodes === undefined && kind !== 'DaemonSet')
    return `which nodes the Pods of ${kind} ${id} run on is not known: give the Pods (kubectl get pods -A -o yaml)`;
  const members = owner.nodes === undefined ? nodes : nodes.filter(({ name }) => owner.nodes?.has(name));
  if (members.length === 0) return `no Pod of ${kind} ${id} runs on a node of the input`;
  if (owner.nodes === undefined)
    say('assumed-pods', 'note', `a Pod of DaemonSet ${id} is taken to run on each of the ${nodes.length} nodes`);
  const [namespace, name] = [namespaceOf(manifest.value.metadata), manifest.value.metadata.name];
  return ports.flatMap(({ port, protocol }): readonly Listener[] => {
    const isUdp = protocol === 'udp';
    if (protocol === 'sctp' || (isUdp && options.program === 'haproxy')) {
      const left = `${options.program} does not balance ${protocol.toUpperCase()}: port ${port} of ${kind} ${id} is left out`;
      say('protocol-unsupported', 'warning', left);
      return [];
    }
    return (options.bind ?? [undefined]).map((address, index) => {
      const family: Family = familyOf(address ?? members[0]?.ips[0] ?? '') ?? 'ipv4';
      return {
        name: `${namespace}_${name}_${port}${isUdp ? '_udp' : ''}${index === 0 ? '' : `_${index + 1}`}`,
        address,
        family,
        port,
        protocol: isUdp ? 'UDP' : 'TCP',
        servers: members.map(({ name: node, ips }) => ({
          node,
          ip: ips.find((ip) => familyOf(ip) === family) ?? ips[0] ?? '',
          port,
        })),
        check: checkOf(options),
        affinitySeconds: undefined,
        sourceRanges: [],
        proxyProtocol: isUdp ? undefined : options.proxyProtocol,
      };
    });
  });
}

/** kube-proxy does not know host ports: its health check does not cover them. */
function checkOf({ check }: BalancerOptions): Check {
  return check === 'none' ? { kind: 'none' } : { kind: 'connect' };
}
