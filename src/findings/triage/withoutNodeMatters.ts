import { firstFew } from '../../common/text/firstFew.ts';
import { nodeMatters } from './nodeMatters.ts';
import type { ReportContext } from './reportContext.ts';
import type { Triaged } from './triage.ts';

/** Removes what depends on the dump's Node if that is unknown. A note names the Services that were not compared. */
export function withoutNodeMatters(
  triaged: Triaged,
  { plans, diffs, nodeAddresses }: Pick<ReportContext, 'plans' | 'diffs' | 'nodeAddresses'>,
): Triaged {
  const { services, isOwner, isOfNode } = nodeMatters(plans, nodeAddresses());
  const chains = new Set(diffs.flatMap(({ chain, expected }) => (isOwner(expected?.owner) ? chain : [])));
  const findings = triaged.findings.filter((finding) => !isOfNode(finding));
  const changes = triaged.changes.filter(({ chain }) => !chains.has(chain));
  if (findings.length === triaged.findings.length && changes.length === triaged.changes.length) return triaged;
  const others = services.length === 0 ? '' : `, nor are Services that depend on it (${firstFew(services, 3)})`;
  const note = `nothing shows which Node the dump is of: its own endpoints are not compared${others}; --node names it`;
  return { findings, changes, notes: [...triaged.notes, note], notCompared: [...triaged.notCompared, ...services] };
}
