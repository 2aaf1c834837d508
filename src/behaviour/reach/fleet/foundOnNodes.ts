import type { SenderKind } from '../../packets/senderKinds.ts';
import { partText, type ReachedNode, type ReachTable } from './reachTable.ts';

/** A class of packets that was found, and where. */
export interface FoundOnNodes {
  readonly service: string | null;
  readonly row: string;
  readonly sender: SenderKind;
  readonly says: string;
  readonly nodes: readonly string[];
  /** One of them on the first of the nodes, as arguments of `k8snet trace`. */
  readonly packet: string;
}

/** Equal classes of packets stand once; those on most nodes come first. */
export function foundOnNodes(
  judged: readonly (ReachedNode & { readonly table: ReachTable })[],
): readonly FoundOnNodes[] {
  const found = new Map<string, FoundOnNodes & { readonly nodes: string[] }>();
  for (const { node, table } of judged) {
    for (const { service, name: row, cells } of table.rows) {
      for (const { sender, parts } of cells) {
        for (const part of parts) {
          const says = partText(part, table.ends, Number.POSITIVE_INFINITY);
          const key = JSON.stringify([service, row, sender, says]);
          const known = found.get(key);
          if (known === undefined) {
            const short = partText(part, table.ends, mostEnds);
            found.set(key, { service, row, sender, says: short, nodes: [node], packet: part.packet ?? '' });
          } else if (known.nodes.at(-1) !== node) known.nodes.push(node);
        }
      }
    }
  }
  return [...found.values()].sort((one, other) => other.nodes.length - one.nodes.length);
}

const mostEnds = 8;
