import type { Finding } from '../../findings/finding.ts';
import { noConditions } from '../../trace/known/noConditions.ts';
import type { TraceResult } from '../../trace/traceResult.ts';
import type { TraceConditions, Tracer } from '../../trace/tracer.ts';
import { compareDistributions } from './compareDistributions.ts';
import { distributionOf } from './distribution.ts';
import { distributionLines } from './distributionText.ts';
import { usualTolerance } from './usualTolerance.ts';
import { isOnWay, wayOf } from './way.ts';

/** A packet with different outcomes under the rules of a node and under the expected ones. */
export interface WayDifference {
  /** Its outcomes, one a line. */
  readonly expected: readonly string[];
  readonly found: readonly string[];
  /** Whether a finding of the comparison of rules is about the packet's way, on either side. */
  readonly isOnWay: (finding: Finding) => boolean;
}

/** Undefined: the outcomes are the same. */
export function wayDifference(
  { packet }: TraceResult,
  expected: Tracer,
  found: Tracer,
  conditions: TraceConditions = noConditions,
): WayDifference | undefined {
  const sides = [expected, found].map((tracer) => distributionOf(packet, tracer.context(conditions)));
  const [a, b] = sides as [(typeof sides)[0], (typeof sides)[0]];
  if (compareDistributions(a, b, usualTolerance) !== 'different') return undefined;
  const isV6 = packet.family === 'ipv6';
  const ways = [expected, found].map((tracer) => wayOf(tracer.trace(packet, conditions), tracer.input));
  return {
    expected: distributionLines(a, isV6),
    found: distributionLines(b, isV6),
    isOnWay: (finding) => !ofRoutes.has(finding.code) && ways.some((way) => isOnWay(finding, way)),
  };
}

/** Both sides stand in the network of the node: its routes make no difference between them. */
const ofRoutes: ReadonlySet<string> = new Set(['K8N521', 'K8N522']);
