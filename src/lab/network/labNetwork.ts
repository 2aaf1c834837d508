/** A network as data: nodes and outside hosts on one LAN, pods behind their nodes. Names are unique among all. */
export interface LabNetwork {
  readonly nodes: readonly NodeMachine[];
  readonly pods: readonly PodMachine[];
  readonly hosts: readonly OutsideHost[];
  /** Pods each on a route of their own (the default), or on a bridge of the node. */
  readonly podNetwork?: 'routed' | 'bridged';
  /** Name of that bridge; default `cbr0`. */
  readonly bridge?: string;
  /** Start of the names of the nodes' interfaces to pods; default `veth`. */
  readonly podInterfacePrefix?: string;
}

export interface NodeMachine {
  readonly name: string;
  /** Without a length; the first of a family is the node's own. */
  readonly addresses: readonly string[];
  /** The first address of each that no pod has is the pods' gateway. */
  readonly podCidrs: readonly string[];
  readonly servers?: readonly LabServer[];
  /** The node that gets what this one does not know; default: the first outside host, which forwards nothing. */
  readonly gateway?: string;
}

/** A pod; or several of a node that only answer and share a machine: then each server is bound to the address of its pod. */
export interface PodMachine {
  readonly name: string;
  readonly node: string;
  readonly addresses: readonly string[];
  readonly servers?: readonly LabServer[];
}

export interface OutsideHost {
  readonly name: string;
  readonly addresses: readonly string[];
  /** The node that its packets to services and pods go to. */
  readonly gateway: string;
  readonly servers?: readonly LabServer[];
}

/** Something that answers with its name and the source it sees. */
export interface LabServer {
  readonly protocol: SocketProtocol;
  readonly port: number;
  /** Default: the machine's name. A pod in the node's network is a server of the node. */
  readonly name?: string;
  /** Default: all of the machine's. */
  readonly address?: string;
}

export type SocketProtocol = 'tcp' | 'udp' | 'sctp';
