import type { LabCluster, LabNode, Place } from './labCluster.ts';
import type { NodeMachine, OutsideHost, PodMachine, Topology } from './topology.ts';

/** How the Pods of nodes are wired. */
export type PodNetwork = Pick<Topology, 'podNetwork' | 'bridge' | 'podInterfacePrefix'>;

/** The machines of a lab: its topology, and which of them each place is. */
export interface LabMachines {
  readonly topology: Topology;
  readonly machineOf: ReadonlyMap<Place, string>;
}

/**
 * Machines for a cluster and the clients that ask in it. Clients and, as long as they are few, Pods have one each; Pods
 * that only answer share one for many of a node.
 */
export function labTopology(
  { tested, nodes, places }: LabCluster,
  asking: ReadonlySet<Place>,
  network: PodNetwork,
): LabMachines {
  const machineOf = new Map<Place, string>();
  const all = [...new Set([...places, ...asking])];
  const isAlone = (place: Place) => asking.has(place) || place.servers.some(({ protocol }) => protocol === 'sctp');
  const pods = all.filter(({ kind }) => kind === 'pod');
  const sharing = pods.filter((pod) => !isAlone(pod));
  const shared = sharing.length > mostAlone ? sharing : [];
  const machines: PodMachine[] = [];
  for (const pod of pods) {
    if (shared.includes(pod)) continue;
    // A client that is made up may have the name of somebody's Pod.
    const name = places.includes(pod) ? pod.name : `client ${pod.name}`;
    machines.push(togetherAs(name, pod.node ?? '', [pod]));
    machineOf.set(pod, name);
  }
  for (const { node } of nodes) {
    const own = shared.filter((pod) => pod.node === node);
    for (let at = 0; at < own.length; at += mostTogether) {
      const group = own.slice(at, at + mostTogether);
      const name = `${node}: Pods ${at + 1} to ${at + group.length}`;
      machines.push(togetherAs(name, node, group));
      for (const pod of group) machineOf.set(pod, name);
    }
  }
  const hosts = all.filter(({ kind }) => kind === 'outside').map((place) => hostFor(place, tested));
  for (const place of [...nodes, ...all]) if (place.kind !== 'pod') machineOf.set(place, place.name);
  const topology = { ...network, nodes: nodes.map((node) => nodeFor(node, tested)), pods: machines, hosts };
  return { topology, machineOf };
}

/** Pods that only answer have machines of their own if they are no more than these. */
const mostAlone = 60;

/** Each listens for itself, and a process can have about a thousand sockets open. */
const mostTogether = 200;

function togetherAs(name: string, node: string, pods: readonly Place[]): PodMachine {
  return {
    name,
    node: `node/${node}`,
    addresses: pods.flatMap(({ addresses }) => addresses),
    servers: pods.flatMap(({ servers }) => servers),
  };
}

/** Nodes without rules hand what they do not know to the tested one: that is how its rules meet their packets. */
function nodeFor({ name, addresses, podCidrs, servers, hasRules }: LabNode, tested: LabNode): NodeMachine {
  return { name, addresses, podCidrs, servers, ...(!hasRules && { gateway: tested.name }) };
}

function hostFor({ name, addresses, servers }: Place, tested: LabNode): OutsideHost {
  return { name, addresses, gateway: tested.name, servers };
}
