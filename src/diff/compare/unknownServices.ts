import type { Finding } from '../../findings/finding.ts';

/**
 * How many Services a dump has rules for that no manifest names, counted by findings of K8N202. The names in rules or
 * chains identify a Service: all of its ports and addresses count once, and further addresses of a `known` Service
 * (`ns/name`) do not count. Rules without a name count once for each address, or for each port of all addresses.
 */
export function unknownServices(findings: readonly Finding[], known: ReadonlySet<string>): number {
  const unknown = new Set<string>();
  for (const { code, what, unknownTargets = [undefined] } of findings) {
    if (code !== 'K8N202') continue;
    for (const target of unknownTargets) {
      if (target === undefined) unknown.add(what);
      else if (target.kind === 'address') unknown.add(target.address);
      else if (!known.has(target.name)) unknown.add(target.name);
    }
  }
  return unknown.size;
}
