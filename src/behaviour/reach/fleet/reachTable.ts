import type { Family } from '../../../common/addresses/family.ts';
import { firstFew } from '../../../common/text/firstFew.ts';
import type { NodeVerdict } from '../../../report/fleet/nodeVerdict.ts';
import type { SenderKind } from '../../packets/senderKinds.ts';

/** What a node's table says, among those of many nodes. */
export interface ReachedNode extends NodeVerdict {
  /** Undefined: the node was not judged. */
  readonly table: ReachTable | undefined;
}

/** Who reaches what on one node, in words that mean the same on every node: none names the node's own addresses. */
export interface ReachTable {
  readonly families: readonly Family[];
  /** kube-proxy's mode; null: the dump shows none, or several. */
  readonly mode: string | null;
  /** `found`: only what --find asks for. */
  readonly shows: 'services' | 'found';
  /** The asked Service is not on this node. */
  readonly lacksService: boolean;
  readonly rows: readonly TableRow[];
  /** Lists of endpoints, which cells name by their place here. */
  readonly ends: readonly (readonly string[])[];
  /** Where the far senders of each kind are. */
  readonly senders: readonly SendersOfTable[];
  /** Addresses of endpoints that are on the node; null: nothing shows it. */
  readonly local: readonly string[] | null;
  /** Services whose endpoints have hints, as namespace/name: which of them answer depends on the node. */
  readonly hinted: readonly string[];
}

export interface SendersOfTable {
  readonly family: Family;
  readonly sender: SenderKind;
  readonly sources: readonly string[];
}

/** One destination: a Service's address and port, or a port of the node, whatever its address. */
export interface TableRow {
  /** Equal on all nodes that have the row: modes name kinds of addresses differently. */
  readonly id: string;
  readonly family: Family;
  readonly service: string | null;
  /** `cluster IP 10.96.0.10:80/tcp`, `node port 30080/tcp`. */
  readonly name: string;
  readonly cells: readonly TableCell[];
}

export interface TableCell {
  readonly sender: SenderKind;
  /** Usually one; several where it depends on the sender, or on which of the node's addresses it is. */
  readonly parts: readonly CellPart[];
}

export interface CellPart {
  /** `own`, `masq`, `dropped`: behind the endpoints, if some answer. */
  readonly says: string;
  /** The endpoints that answer: their place in the table's lists. */
  readonly ends?: number;
  /** The senders, if not all of them meet this. */
  readonly sources?: readonly string[];
  /** One that answers is the node itself, which sees the sender's own address where other nodes masquerade it. */
  readonly isAtNode?: true;
  /** A traffic policy Local finds no endpoint on the node. */
  readonly isForLackOfLocal?: true;
  /** One of the packets, as arguments of `k8snet trace`; only for what was found. */
  readonly packet?: string;
}

/** Their addresses may send to several nodes; Pods, endpoints and the node itself differ from node to node. */
export function isFarSender(sender: SenderKind): boolean {
  return sender === 'remote-pod' || sender === 'other-node' || sender === 'outside';
}

/** A part in words, with at most `most` endpoints. */
export function partText(part: CellPart, ends: ReachTable['ends'], most: number): string {
  const list = part.ends === undefined ? [] : (ends[part.ends] ?? []);
  return list.length === 0 ? part.says : `${firstFew(list, most)} ${part.says}`;
}
