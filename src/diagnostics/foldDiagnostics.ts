import { count } from '../common/text/count.ts';
import type { DiagnosticCode } from '../problems/problemCode.ts';
import type { Diagnostic } from './diagnostic.ts';

/**
 * Folds messages with the same words about many objects into one line, for people: `12 Services got cluster IPs and 3
 * node ports`. A single default keeps its words, which name it, and loses its place and hint. Everything else stays as
 * it is.
 */
export function foldDiagnostics(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const folded = new Map<Diagnostic, Diagnostic>();
  const hidden = new Set<Diagnostic>();
  for (const { codes, atLeast, say, hint } of folds) {
    const members = diagnostics.filter(({ code, severity }) => codes.includes(code) && severity !== 'error');
    const [first] = members;
    if (first === undefined || members.length < atLeast) continue;
    for (const member of members) hidden.add(member);
    const { code, severity } = first;
    const message = members.length === 1 ? first.message : `${say(members)}; -v lists them`;
    const ofAll = hint?.(members);
    folded.set(first, { code, severity, message, at: [], ...(ofAll === undefined ? {} : { hint: ofAll }) });
  }
  if (hidden.size === 0) return diagnostics;
  return diagnostics.flatMap((diagnostic) => folded.get(diagnostic) ?? (hidden.has(diagnostic) ? [] : [diagnostic]));
}

interface Fold {
  readonly codes: readonly DiagnosticCode[];
  /** Fewer are printed each by itself. */
  readonly atLeast: number;
  readonly say: (members: readonly Diagnostic[]) => string;
  readonly hint?: (members: readonly Diagnostic[]) => string | undefined;
}

const folds: readonly Fold[] = [
  {
    codes: ['allocated-cluster-ip', 'allocated-node-port', 'allocated-health-check-port'],
    atLeast: 1,
    say: sayAllocated,
  },
  { codes: ['assumed-pods'], atLeast: 1, say: sayAssumed },
  {
    codes: ['no-endpoints'],
    atLeast: 4,
    say: ({ length }) => `${count(length, 'Service')} have no endpoints in the input: their traffic is rejected`,
    hint: (members) =>
      members.some(({ facts }) => facts?.canAssumePods)
        ? '--assume-pods makes up the Pods of their workloads'
        : members[0]?.hint,
  },
];

function sayAssumed(members: readonly Diagnostic[]): string {
  const bare = members.filter(({ facts }) => facts?.isBarePod).length;
  const started = members.length - bare;
  const parts = [
    ...(started === 0 ? [] : [`Pods are assumed for ${count(started, 'workload')}`]),
    ...(bare === 0 ? [] : [`${started === 0 ? 'addresses are assumed' : 'addresses'} for ${count(bare, 'Pod')}`]),
  ];
  return parts.join(', ');
}

function sayAllocated(members: readonly Diagnostic[]): string {
  const of = (wanted: DiagnosticCode) => members.filter(({ code }) => code === wanted);
  const [addresses, nodePorts, healthChecks] = [
    of('allocated-cluster-ip'),
    of('allocated-node-port'),
    of('allocated-health-check-port'),
  ];
  const parts = [
    ...(addresses.length === 0 ? [] : [addresses.length === 1 ? 'a cluster IP' : 'cluster IPs']),
    ...(nodePorts.length === 0 ? [] : [count(nodePorts.length, 'node port')]),
    ...(healthChecks.length === 0 ? [] : [count(healthChecks.length, 'health-check node port')]),
  ];
  const last = parts.pop();
  const services = new Set(members.map(objectOf)).size;
  return `${count(services, 'Service')} got ${parts.length === 0 ? last : `${parts.join(', ')} and ${last}`}`;
}

/** The object that a place is in: all that stands before its spec. */
function objectOf({ at: [origin] }: Diagnostic): string {
  if (origin === undefined) return '';
  const spec = origin.path.indexOf('spec');
  return JSON.stringify([origin.file, origin.document, spec < 0 ? origin.path : origin.path.slice(0, spec)]);
}
