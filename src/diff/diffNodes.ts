import type { NodeRules } from '../node/nodeRules.ts';
import type { DiffReport, DiffSummary } from '../report/diffReport.ts';
import { type DumpDiffOptions, diffDumps } from './diffDumps.ts';

/**
 * Compares several nodes of one cluster: the node that most others agree with is the expected side; what other nodes
 * have in addition is listed with the node. Nodes that differ from all others are the odd ones.
 */
export function diffNodes(nodes: readonly NodeRules[], options: DumpDiffOptions): DiffReport {
  const usual = nodes[usualNode(nodes, options)] as NodeRules;
  const reports = nodes.filter((node) => node !== usual).map((node) => diffDumps(usual, node, options));
  const odd = reports.filter(({ changes }) => changes.length > 0);
  const names = (list: readonly DiffReport[]) => list.map(({ foundName }) => foundName).join(', ');
  const notes = [
    ...new Set(reports.flatMap((report) => report.notes)),
    odd.length === 0
      ? `all ${nodes.length} nodes have the same rules`
      : `${names(odd)} ${odd.length === 1 ? 'differs' : 'differ'} from ${usual.name}${reports.length > odd.length ? `, which has the rules of ${names(reports.filter(({ changes }) => changes.length === 0))}` : ''}`,
    ...odd.map(({ foundName, changes }) => `${foundName}: ${changes.length} differences`),
  ];
  return {
    kind: 'diffReport',
    comparison: 'nodes',
    expectedName: usual.name,
    foundName: names(odd.length > 0 ? odd : reports),
    summary: {
      ...worst(reports),
      staleChains: 0,
      foreignRules: reports.reduce((sum, { summary }) => sum + summary.foreignRules, 0),
    },
    findings: reports.flatMap(({ findings }) => findings),
    changes: odd.flatMap(({ changes }) => changes),
    chains: odd.flatMap(({ chains }) => chains ?? []),
    unread: nodes.flatMap(({ unread }) => unread),
    notes,
  };
}

/** The result for Services on the node that differs most. */
function worst(reports: readonly DiffReport[]): Omit<DiffSummary, 'staleChains' | 'foreignRules'> {
  const none = { services: 0, same: 0, missing: 0, differ: 0, extra: 0 };
  const wrong = ({ missing, differ, extra }: typeof none) => missing + differ + extra;
  const [first = none, ...others] = reports.map(({ summary }) => summary);
  const { services, same, missing, differ, extra } = others.reduce<typeof none>(
    (most, summary) => (wrong(summary) > wrong(most) ? summary : most),
    first,
  );
  return { services, same, missing, differ, extra };
}

/** The node with the fewest differences from all others; if several have equally few, the first. */
function usualNode(nodes: readonly NodeRules[], options: DumpDiffOptions): number {
  let best = 0;
  let fewest = Number.POSITIVE_INFINITY;
  // Each pair is compared once; people usually give a handful of nodes, and further ones are compared with the first
  // few.
  const some = nodes.slice(0, 8);
  const counts = new Array<number>(some.length).fill(0);
  for (const [at, node] of some.entries()) {
    for (let other = at + 1; other < some.length; other += 1) {
      const { changes } = diffDumps(node, some[other] as NodeRules, options);
      counts[at] = (counts[at] ?? 0) + changes.length;
      counts[other] = (counts[other] ?? 0) + changes.length;
    }
  }
  for (const [at, count] of counts.entries()) {
    if (count < fewest) {
      fewest = count;
      best = at;
    }
  }
  return best;
}
