import type { LabCluster, LabNode, LabParty } from '../labCluster.ts';
import type { LabNetwork, NodeMachine, OutsideHost, PodMachine } from './labNetwork.ts';

/** How the Pods of nodes are wired. */
export type PodNetwork = Pick<LabNetwork, 'podNetwork' | 'bridge' | 'podInterfacePrefix'>;

/** The machines of a lab: its network, and which of them each party is. */
export interface LabMachines {
  readonly network: LabNetwork;
  readonly machineOf: ReadonlyMap<LabParty, string>;
}

/**
 * Machines for a cluster and the clients that ask in it. Clients and, as long as they are few, Pods have one each; Pods
 * that only answer share one for many of a node.
 */
export function labNetworkOf(
  { tested, nodes, parties }: LabCluster,
  asking: ReadonlySet<LabParty>,
  podNetwork: PodNetwork,
): LabMachines {
  const machineOf = new Map<LabParty, string>();
  const all = [...new Set([...parties, ...asking])];
  const isAlone = (party: LabParty) => asking.has(party) || party.servers.some(({ protocol }) => protocol === 'sctp');
  const pods = all.filter(({ kind }) => kind === 'pod');
  const sharing = pods.filter((pod) => !isAlone(pod));
  const shared = sharing.length > mostAlone ? sharing : [];
  const machines: PodMachine[] = [];
  for (const pod of pods) {
    if (shared.includes(pod)) continue;
    // A client that is made up may have the name of somebody's Pod.
    const name = parties.includes(pod) ? pod.name : `client ${pod.name}`;
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
  const hosts = all.filter(({ kind }) => kind === 'outside').map((party) => hostFor(party, tested));
  for (const party of [...nodes, ...all]) if (party.kind !== 'pod') machineOf.set(party, party.name);
  const network = { ...podNetwork, nodes: nodes.map((node) => nodeFor(node, tested)), pods: machines, hosts };
  return { network, machineOf };
}

/** Pods that only answer have machines of their own if they are no more than these. */
const mostAlone = 60;

/** Each listens for itself, and a process can have about a thousand sockets open. */
const mostTogether = 200;

function togetherAs(name: string, node: string, pods: readonly LabParty[]): PodMachine {
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

function hostFor({ name, addresses, servers }: LabParty, tested: LabNode): OutsideHost {
  return { name, addresses, gateway: tested.name, servers };
}
