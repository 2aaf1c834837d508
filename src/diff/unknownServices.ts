import type { Finding } from '../findings/finding.ts';

/**
 * How many Services a dump has rules for and no manifest names, by findings of K8N202. Services are told apart by the
 * names that rules or their chains bear: all ports and addresses of one are one, and further addresses of a Service that
 * is `known` (`ns/name`) are none. Rules without a name count once for each address, or for each port of all addresses.
 */
export function unknownServices(findings: readonly Finding[], known: ReadonlySet<string>): number {
  const unknown = new Set<string>();
  for (const { id, seen, unknownTargets = [undefined] } of findings) {
    if (id !== 'K8N202') continue;
    for (const target of unknownTargets) {
      if (target === undefined) unknown.add(seen);
      else if (target.kind === 'address') unknown.add(target.address);
      else if (!known.has(target.name)) unknown.add(target.name);
    }
  }
  return unknown.size;
}
