import type { NodeRules } from '../../../node/nodeRules.ts';
import type { FleetEntry } from './fleetEntry.ts';
import { nameByPattern, namesByPath } from './nodeNames.ts';

/** Objects are compiled for the node of a dump, if it is known: they have it, or it was asked in its cluster. */
export function nodeOption(
  { live }: Pick<FleetEntry, 'live'>,
  node: string | undefined,
  nodes: ReadonlySet<string>,
): { readonly node?: string } {
  return node !== undefined && (live !== undefined || nodes.has(node)) ? { node } : {};
}

/**
 * The node of a dump: the one that was asked in its cluster; otherwise by the given pattern, by the facts in the dump, by
 * the path if a Node of the manifests has that name. Undefined: none of these shows it.
 */
export function nodeOfEntry(
  entry: Pick<FleetEntry, 'given' | 'live'>,
  dump: NodeRules | undefined,
  nodes: ReadonlySet<string>,
  pattern: string | undefined,
): string | undefined {
  if (entry.live !== undefined) return entry.live.node;
  const byPattern = pattern === undefined ? undefined : nameByPattern(pattern, entry.given);
  return byPattern ?? dump?.network.node?.toLowerCase() ?? namesByPath(entry.given).find((name) => nodes.has(name));
}
