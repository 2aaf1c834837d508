import { protocolName } from '../../trace/question/protocolName.ts';
import { addressText } from '../../walk/values/text.ts';
import { distributionJson } from '../outcome/distributionJson.ts';
import { prefixTexts } from '../outcome/prefixTexts.ts';
import { traceQuestion } from '../traceQuestion.ts';
import type { Reach, ReachClass, ReachRow } from './reach.ts';
import type { FoundClass } from './reachFind.ts';

/** What can be reached, as k8snet.reach/v1. */
export function reachJson(
  { name, rows, families, unknown, assumed, otherPolicies = [] }: Reach,
  limit: number,
): object {
  return {
    schema: 'k8snet.reach/v1',
    name,
    families,
    rows: rows.slice(0, limit).map((row) => ({ toJSON: () => rowJson(row) })),
    rowsInAll: rows.length,
    unknown,
    assumed,
    ...(otherPolicies.length > 0 && { otherPolicies }),
  };
}

/** Classes that were found, in the same form: one row each. */
export function foundJson(reached: Reach, found: readonly FoundClass[], limit: number): object {
  return reachJson({ ...reached, rows: found.map(({ row, found: one }) => ({ ...row, classes: [one] })) }, limit);
}

function rowJson({ destination, name, classes }: ReachRow): object {
  const { address, use, protocolPorts } = destination;
  const [protocolPort] = protocolPorts;
  return {
    service: name.service ?? null,
    kind: name.kind,
    address: addressText(address),
    use,
    ...(use === 'port' && { port: protocolPort?.port ?? null, protocol: protocolName(protocolPort?.protocol ?? 0) }),
    classes: classes.map(classJson),
  };
}

function classJson({ entrance, packet, protocols, sources, outcome }: ReachClass): object {
  return {
    entrance,
    protocols: protocols.map(protocolName),
    sources: prefixTexts(sources, mostPrefixes),
    packet: traceQuestion(entrance, packet),
    ...distributionJson(outcome, packet.family === 'ipv6'),
  };
}

const mostPrefixes = 64;
