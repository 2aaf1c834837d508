import { compareBytes } from '../common/compareBytes.ts';
import type { Finding, FindingSeverity } from '../findings/finding.ts';

/** The findings of one Service port, or of the node (`subject` undefined). */
export interface FindingGroup {
  readonly subject: string | undefined;
  readonly findings: readonly Finding[];
}

/**
 * Findings by subject, worst first: groups by their worst finding, failures before advice, the node before Services,
 * Services by name; inside a group by severity, then id, otherwise in their order.
 */
export function groupFindings(findings: readonly Finding[]): readonly FindingGroup[] {
  const groups = new Map<string | undefined, Finding[]>();
  for (const finding of findings) {
    const group = groups.get(finding.service);
    if (group === undefined) groups.set(finding.service, [finding]);
    else group.push(finding);
  }
  return [...groups]
    .map(([subject, group]) => {
      const sorted = group.sort((one, other) => rank(one) - rank(other) || compareBytes(one.code, other.code));
      return { subject, findings: sorted, rank: rank(sorted[0] as Finding) };
    })
    .sort((one, other) => one.rank - other.rank || compareSubjects(one.subject, other.subject))
    .map(({ subject, findings: sorted }) => ({ subject, findings: sorted }));
}

const ranks: Readonly<Record<FindingSeverity, number>> = { error: 0, warning: 1, info: 2 };

function rank(finding: Finding): number {
  return ranks[finding.severity] + (finding.isAdvice ? 3 : 0);
}

function compareSubjects(one: string | undefined, other: string | undefined): number {
  if (one === undefined || other === undefined) return one === other ? 0 : one === undefined ? -1 : 1;
  return compareBytes(one, other);
}
