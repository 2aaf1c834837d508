import type { Finding } from '../findings/finding.ts';
import { ruleCatalog } from '../trace/ruleCatalog.ts';
import { servicePortInComment } from '../trace/servicePortInComment.ts';
import type { TraceResult } from '../trace/traceResult.ts';
import { noConditions, type TraceConditions, type Tracer } from '../trace/tracer.ts';
import { trailItems } from '../walk/flow.ts';
import type { WalkInput } from '../walk/walkInput.ts';
import { compareDistributions, usualTolerance } from './compareDistributions.ts';
import { distributionOf } from './distribution.ts';
import { distributionLines } from './distributionText.ts';

/** A packet that fares otherwise by the rules of a node than by those that should be there. */
export interface WayDifference {
  /** What becomes of it, one line an outcome. */
  readonly expected: readonly string[];
  readonly found: readonly string[];
  /** What is wrong with the rules on its way, on either side. */
  readonly findings: readonly Finding[];
}

/** Undefined: it fares the same. `findings` are all that the comparison of the rules has. */
export function wayDifference(
  { packet }: TraceResult,
  expected: Tracer,
  found: Tracer,
  findings: readonly Finding[],
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
    findings: findings.filter((finding) => ways.some((way) => isOnWay(finding, way))),
  };
}

interface Way {
  readonly chains: ReadonlySet<string>;
  readonly places: ReadonlySet<string>;
  readonly services: ReadonlySet<string>;
}

function wayOf({ outcomes }: TraceResult, input: WalkInput): Way {
  const chains = new Set<string>();
  const places = new Set<string>();
  const services = new Set<string>();
  for (const { first, later, reply } of outcomes) {
    for (const walk of [first, later, reply]) {
      for (const { chain, rule, target } of trailItems(walk?.flow.path)) {
        chains.add(chain.name);
        if (target !== undefined) chains.add(target);
        const named = servicePortInComment(rule?.comment);
        if (named !== undefined) services.add(named);
        for (const place of [rule, chain.place]) {
          if (place?.line !== undefined) places.add(`${place.file}:${place.line}`);
        }
      }
    }
  }
  for (const { chain, service } of ruleCatalog(input).chains) {
    if (service !== undefined && chains.has(chain.name)) services.add(service);
  }
  return { chains, places, services };
}

/** What concerns another Service is none of this packet's business, though it is in a chain that all go through. */
function isOnWay({ service, found, rules = [], isAdvice }: Finding, { chains, places, services }: Way): boolean {
  if (isAdvice) return false;
  if (service !== undefined) {
    return [...services].some(
      (own) => own === service || own.startsWith(`${service}:`) || service.startsWith(`${own}:`),
    );
  }
  // Of the node as a whole.
  if (rules.length === 0 && found.length === 0) return true;
  return rules.some(({ chain }) => chains.has(chain)) || found.some(({ file, line }) => places.has(`${file}:${line}`));
}
