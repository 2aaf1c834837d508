import { fractionJson } from '../../trace/show/fractionJson.ts';
import { plus } from '../../walk/values/fraction.ts';
import type { LabReport } from '../runLab.ts';
import { sourceOf } from './labProbe.ts';
import type { CountedOutcome, ProbeResult } from './labResult.ts';
import type { PredictedOutcome } from './predictProbe.ts';

/** k8snet.lab/v1. */
export function labJson({ cluster, results }: LabReport, mode: string): object {
  const isCompared = results.some(({ compared }) => compared !== undefined);
  return {
    schema: 'k8snet.lab/v1',
    mode,
    nodes: cluster.nodes.map(({ node, addresses, hasRules }) => ({ name: node, addresses, hasRules })),
    probes: results.map(probeJson),
    ...(isCompared && { agrees: results.every(({ compared }) => (compared?.problems ?? []).length === 0) }),
  };
}

function probeJson({ probe, outcomes, compared }: ProbeResult): object {
  const { from, to, port, protocol, service, entrance } = probe;
  return {
    from: { name: from.name, kind: from.kind, node: from.node ?? null, address: sourceOf(probe) ?? null },
    to: { address: to, port: port ?? null, protocol, service: service ?? null, entrance: entrance ?? null },
    connections: outcomes.reduce((sum, { count }) => sum + count, 0),
    outcomes: outcomes.map(outcomeJson),
    ...(compared && {
      trace: {
        agrees: compared.problems.length === 0,
        problems: compared.problems,
        expected: merged(compared.expected),
      },
    }),
  };
}

function outcomeJson({ outcome, count }: CountedOutcome): object {
  return { ...endJson(outcome), count };
}

function endJson(end: CountedOutcome['outcome'] | PredictedOutcome['end']): object {
  switch (end.kind) {
    case 'answered':
      return { kind: 'answered', server: end.by, source: end.sawSource === '-' ? null : end.sawSource };
    case 'unknown':
      return { kind: 'unknown', why: end.why };
    default:
      return { kind: end.kind };
  }
}

/** Ways that end alike are one thing to a client. */
function merged(expected: readonly PredictedOutcome[]): readonly object[] {
  const all = new Map<string, { end: PredictedOutcome['end']; share: PredictedOutcome['share'] }>();
  for (const { end, share } of expected) {
    const key = JSON.stringify(endJson(end));
    const known = all.get(key);
    all.set(key, { end, share: known === undefined ? share : known.share && share && plus(known.share, share) });
  }
  return [...all.values()].map(({ end, share }) => ({
    ...endJson(end),
    probability: share === undefined ? null : fractionJson(share),
  }));
}
