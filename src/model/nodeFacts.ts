import type { Family } from '../common/addresses/family.ts';

/** What is known of the node that rules are compiled for. */
export interface NodeFacts {
  /** Lower case, as kube-proxy compares it with an endpoint's nodeName. */
  readonly name: string;
  /** Nothing names it: `node` stands for it. */
  readonly isNameless?: true;
  /** The node's IP of each family; 127.0.0.1 and ::1 where none is known. */
  readonly ip: Readonly<Record<Family, string>>;
  /** The family of the first node IP. */
  readonly primaryFamily: Family;
  /** Canonical addresses of all interfaces, loopback first, each once, both families. */
  readonly addresses: readonly string[];
  /**
   * Loopback addresses that were named as addresses of the node. IPVS mode until 1.21 then opens node ports on
   * them.
   */
  readonly namedLoopback?: readonly string[];
  /** IPVS mode: families in which node ports answer, at addresses that nothing names. */
  readonly unnamedNodePorts?: ReadonlySet<Family>;
  /** The kube-proxy version in the Node, as written (`v1.30.4`); empty: none. */
  readonly version: string;
  /** As the Node has them: kube-proxy writes them so in its rules. */
  readonly podCIDRs: readonly string[];
  /** Label topology.kubernetes.io/zone; empty: none. */
  readonly zone: string;
}
