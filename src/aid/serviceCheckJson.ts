import type { Origin } from '../diagnostics/diagnostic.ts';
import type { Locate } from '../diagnostics/place.ts';
import type { Evidence } from '../diagnostics/problem.ts';
import type { AidCause } from './aidCause.ts';
import type { ServiceCheck } from './serviceCheck.ts';

/** k8snet.checkService/v1. */
export function serviceCheckJson(check: ServiceCheck, locate: Locate): object {
  const { service, port, verdict, causes, remarks, looked, notLooked } = check;
  return {
    schema: 'k8snet.checkService/v1',
    service,
    ...(port !== undefined && { port }),
    verdict,
    causes: causes.map((cause) => causeJson(cause, locate)),
    remarks: remarks.map(({ origin, of: _, ...remark }) => ({ ...remark, ...(origin && placeJson(origin, locate)) })),
    looked: looked.map(({ what, seen }) => ({ what, seen })),
    notLooked: notLooked.map(({ what, how }) => ({ what, how })),
  };
}

function causeJson(cause: AidCause, locate: Locate): object {
  const { code: id, what, why: reason, evidence, fix, nodes, detail: code, isDoubt } = cause;
  return {
    id,
    sentence: what,
    ...(reason !== undefined && { reason }),
    fix,
    nodes,
    ...(code !== undefined && { code }),
    isCertain: isDoubt !== true,
    evidence: evidence.map((one) => evidenceJson(one, locate)),
  };
}

function evidenceJson(evidence: Evidence, locate: Locate): object {
  if (evidence.kind !== 'object') return evidence;
  const { kind, text, origin } = evidence;
  return { kind, text, ...placeJson(origin, locate) };
}

function placeJson(origin: Origin, locate: Locate): object {
  const place = locate(origin);
  return { file: origin.file, ...(place && { line: place.line, column: place.column }) };
}
