import { firstFew } from '../common/firstFew.ts';
import { nodeMatters } from '../findings/nodeMatters.ts';
import type { Compiled } from '../pipeline/compile.ts';
import type { Compared } from './compareManifests.ts';

/**
 * Without what depends on which Node the dump is of, where that is not known. A note names the Services that were not
 * compared for it.
 */
export function withoutNodeMatters(
  compared: Compared,
  { plans }: Compiled,
): { readonly compared: Compared; readonly services: readonly string[] } {
  const { services, isOwner, isOfNode } = nodeMatters(plans);
  const chains = new Set(compared.diffs.flatMap(({ chain, expected }) => (isOwner(expected?.owner) ? chain : [])));
  const findings = compared.findings.filter((finding) => !isOfNode(finding));
  const changes = compared.changes.filter(({ chain }) => !chains.has(chain));
  if (findings.length === compared.findings.length && changes.length === compared.changes.length) {
    return { compared, services: [] };
  }
  const others = services.length === 0 ? '' : `, nor are Services that depend on it (${firstFew(services, 3)})`;
  const note = `nothing shows which Node the dump is of: its own endpoints are not compared${others}; --node names it`;
  return { compared: { ...compared, findings, changes, notes: [...compared.notes, note] }, services };
}
