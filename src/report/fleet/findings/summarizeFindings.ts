import { compareBytes } from '../../../common/compareBytes.ts';
import type { FindingSeverity } from '../../../findings/finding.ts';
import { countNodes } from '../countNodes.ts';
import type { FleetRun } from '../fleetReport.ts';
import type { FindingGroup, FindingsSummary, NodeAnswer } from './nodeAnswer.ts';

/** Counts nodes and groups equal findings over them; nodes are in the order of `answers`. */
export function summarizeFindings(
  command: FindingsSummary['command'],
  answers: readonly NodeAnswer[],
  run: FleetRun,
): FindingsSummary {
  const { shard, exitCode } = run;
  return {
    command,
    nodes: countNodes(answers, run),
    groups: groupsOf(answers),
    unexplained: answers.filter(({ changes }) => changes > 0).map(({ node }) => node),
    exitCode,
    ...(shard && { shard }),
  };
}

/** The most urgent comes first, then what is on most nodes. */
function groupsOf(answers: readonly NodeAnswer[]): readonly FindingGroup[] {
  const groups = new Map<string, FindingGroup & { readonly nodes: string[] }>();
  for (const { node, findings } of answers) {
    for (const { id, severity, service, seen, fails } of findings) {
      const key = JSON.stringify([id, severity, service ?? null, fails]);
      const known = groups.get(key);
      if (known === undefined) {
        groups.set(key, { id, severity, service: service ?? null, seen, fails, nodes: [node] });
      } else if (known.nodes.at(-1) !== node) known.nodes.push(node);
    }
  }
  return [...groups.values()].sort(
    (one, other) =>
      rank(one) - rank(other) ||
      other.nodes.length - one.nodes.length ||
      compareBytes(one.service ?? '', other.service ?? '') ||
      compareBytes(one.id, other.id),
  );
}

const ranks: Readonly<Record<FindingSeverity, number>> = { error: 0, warning: 1, info: 2 };

function rank({ severity, fails }: FindingGroup): number {
  return ranks[severity] + (fails ? 0 : 3);
}
