import type { Finding } from '../findings/finding.ts';
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
  const notShown = reports.reduce((sum, { summary }) => sum + (summary.notShown ?? 0), 0);
  const notes = [
    ...new Set(reports.flatMap((report) => report.notes)),
    agreement(nodes, usual, reports),
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
      ...(notShown > 0 && { notShown }),
    },
    findings: eachOnce(reports.flatMap(({ findings }) => findings)),
    changes: odd.flatMap(({ changes }) => changes),
    chains: odd.flatMap(({ chains }) => chains ?? []),
    unread: nodes.flatMap(({ unread }) => unread),
    notes,
  };
}

/** A finding of the usual node comes back with each comparison. */
function eachOnce(findings: readonly Finding[]): readonly Finding[] {
  return [...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values()];
}

/** Which nodes are alike, in a sentence. */
function agreement(nodes: readonly NodeRules[], usual: NodeRules, reports: readonly DiffReport[]): string {
  const odd = reports.filter(({ changes }) => changes.length > 0);
  const alike = reports.filter(({ changes, summary }) => changes.length === 0 && summary.notShown === undefined);
  if (odd.length === 0) {
    return alike.length === reports.length
      ? `all ${nodes.length} nodes have the same rules`
      : `all ${nodes.length} nodes have the same rules, as far as their dumps show them`;
  }
  const others = alike.length > 0 ? `, which has the rules of ${names(alike)}` : '';
  return `${names(odd)} ${odd.length === 1 ? 'differs' : 'differ'} from ${usual.name}${others}`;
}

function names(reports: readonly DiffReport[]): string {
  return reports.map(({ foundName }) => foundName).join(', ');
}

type ServiceCounts = Omit<DiffSummary, 'staleChains' | 'foreignRules' | 'notShown'>;

/** The result for Services on the node that differs most. */
function worst(reports: readonly DiffReport[]): ServiceCounts {
  const none: ServiceCounts = { services: 0, same: 0, missing: 0, differ: 0, extra: 0 };
  const wrong = ({ missing, differ, extra }: ServiceCounts) => missing + differ + extra;
  const isWorse = (one: ServiceCounts, other: ServiceCounts) =>
    wrong(one) === wrong(other) ? (one.notCompared ?? 0) > (other.notCompared ?? 0) : wrong(one) > wrong(other);
  const [first = none, ...others] = reports.map(
    ({ summary: { staleChains, foreignRules, notShown, ...counts } }) => counts,
  );
  return others.reduce((most, counts) => (isWorse(counts, most) ? counts : most), first);
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
      const { changes, summary } = diffDumps(node, some[other] as NodeRules, options);
      const differences = changes.length + (summary.notShown ?? 0);
      counts[at] = (counts[at] ?? 0) + differences;
      counts[other] = (counts[other] ?? 0) + differences;
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
