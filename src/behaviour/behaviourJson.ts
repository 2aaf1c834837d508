import type { ValueSet } from '../common/ranges/valueSet.ts';
import { protocolName } from '../trace/question/protocolName.ts';
import { addressText } from '../walk/values/text.ts';
import type { BehaviourFinding } from './behaviourFinding.ts';
import { behaviourVerdict } from './behaviourVerdict.ts';
import type { BehaviourComparison } from './compareBehaviour.ts';
import { differenceKind } from './differenceKind.ts';
import { distributionJson } from './outcome/distributionJson.ts';
import { traceQuestion } from './traceQuestion.ts';

/** A comparison as k8snet.behaviour/v1. `limit` is the number of findings that are written; the summary counts all. */
export function behaviourJson(
  { a, b }: { readonly a: string; readonly b: string },
  comparison: BehaviourComparison,
  limit: number = Number.POSITIVE_INFINITY,
): object {
  const { findings, open, families, skipped, destinations, classes, unknown, assumed } = comparison;
  return {
    schema: 'k8snet.behaviour/v1',
    a: { name: a },
    b: { name: b },
    verdict: behaviourVerdict(comparison),
    summary: { families, skipped, destinations, classes, different: findings.length, unknown: open.length },
    findings: findings.slice(0, limit).map(lateJson),
    cannotTell: open.slice(0, limit).map(lateJson),
    unknown,
    assumed,
  };
}

/** A finding for output, made on demand: 10,000 Services have hundreds of megabytes of them. */
export function lateJson(finding: BehaviourFinding): object {
  return { toJSON: () => findingJson(finding) };
}

function findingJson(finding: BehaviourFinding): object {
  const { entrance, destination, name, packet, protocols, sources, a, b } = finding;
  const isV6 = packet.family === 'ipv6';
  return {
    kind: differenceKind(finding).id,
    entrance,
    service: name.service ?? null,
    destination: {
      address: addressText(destination.address),
      kind: name.kind,
      use: destination.use,
      ...(destination.use === 'port' && { port: packet.destinationPort ?? null }),
      protocols: protocols.map(protocolName),
    },
    packet: traceQuestion(entrance, packet),
    sources: rangesText(sources),
    a: distributionJson(a, isV6),
    b: distributionJson(b, isV6),
  };
}

function rangesText(set: ValueSet): readonly string[] {
  const shown = set
    .slice(0, mostRanges)
    .map(({ first, last }) => (first === last ? addressText(first) : `${addressText(first)}-${addressText(last)}`));
  return set.length > mostRanges ? [...shown, `… ${set.length - mostRanges} more`] : shown;
}

const mostRanges = 20;
