import type { Value } from '../../common/ranges/valueRange.ts';
import { onlyValue, type ValueSet } from '../../common/ranges/valueSet.ts';
import { isTranslated } from '../../walk/ask/isTranslated.ts';
import { originalTuple, replyTuple } from '../../walk/ask/narrow.ts';
import type { Choice, Flow, WalkEvent } from '../../walk/flow.ts';
import { rejectionText } from '../../walk/hooks/rejectionText.ts';
import type { Ended } from '../../walk/hooks/walkHook.ts';
import { addressText, endText } from '../../walk/values/text.ts';
import { trailItems } from '../../walk/values/trail.ts';
import { hasPorts } from '../question/hasPorts.ts';
import { protocolName } from '../question/protocolName.ts';
import type { TracedOutcome, TraceResult } from '../traceResult.ts';
import type { EndpointFinder } from './endpointFinder.ts';
import { fractionJson } from './fractionJson.ts';
import type { TraceAnswer } from './traceAnswer.ts';

export interface TraceJsonOptions {
  readonly id?: unknown;
  readonly findings?: readonly string[];
  /** What could not be read in the dump. */
  readonly notes?: readonly string[];
  readonly isRecorded?: boolean;
  /** The overall result. */
  readonly answer?: TraceAnswer | undefined;
}

/** A trace as k8snet.trace/v1. */
export function traceJson(
  result: TraceResult,
  names: EndpointFinder,
  { id, findings = [], notes: read = [], isRecorded = false, answer }: TraceJsonOptions = {},
): object {
  const { packet, outcomes, notes } = result;
  const [first] = outcomes;
  return {
    schema: 'k8snet.trace/v1',
    ...(id !== undefined && { id }),
    packet: {
      family: packet.family === 'ipv4' ? 'ip' : 'ip6',
      proto: protocolName(packet.protocol),
      src: addressText(packet.source),
      ...(hasPorts(packet.protocol) && { sport: packet.sourcePort ?? null }),
      dst: addressText(packet.destination),
      ...(hasPorts(packet.protocol) && { dport: packet.destinationPort ?? null }),
      origin: packet.origin,
      in: packet.inInterface ?? null,
      physin: packet.inPort ?? null,
      flags: packet.protocol === 6 ? (packet.flags ?? 'S') : null,
      ctstate: isRecorded ? null : (first?.first.flow.connection.found ?? null),
      mark: hex(packet.mark),
    },
    outcomes: outcomes.map((outcome) => outcomeJson(outcome, names)),
    unknown: [...notes.unknown.values()].map(({ rule, text }) => ({
      at: rule && { table: rule.chain.table.name, chain: rule.chain.name, rule: rule.number },
      match: text,
      assumed: 'both',
    })),
    findings,
    ...(answer && { verdict: answer.verdict }),
    assumed: [...notes.assumed],
    notes: [...read, ...notes.notes],
  };
}

function outcomeJson(outcome: TracedOutcome, names: EndpointFinder): object {
  const { first, later, reply, share } = outcome;
  const { flow } = first;
  return {
    probability: share === undefined ? null : fractionJson(share),
    choices: trailItems(flow.choices).map(choiceJson),
    first: walkJson(first),
    later: later === undefined ? null : walkJson(later),
    reply: reply === undefined ? null : walkJson(reply),
    conntrack: conntrackJson(first),
    dnat: natText(flow, 'destination'),
    snat: natText(flow, 'source'),
    endpoint: names.endpointOf(first),
  };
}

function choiceJson({ rule, name, kind, taken }: Choice): object {
  return rule === undefined
    ? { table: 'ipvs', chain: name ?? '', rule: null, kind, taken }
    : { table: rule.chain.table.name, chain: rule.chain.name, rule: rule.number, kind, taken };
}

function walkJson({ flow, end }: Ended): object {
  return { path: trailItems(flow.path).map(eventJson), result: resultJson(flow, end) };
}

function eventJson(event: WalkEvent): object {
  const { chain, rule } = event;
  return {
    hook: event.hook,
    ...(event.leg === 2 && { leg: 2 }),
    family: chain.table.family,
    table: chain.table.name,
    chain: chain.name,
    backend: chain.table.backend,
    rule: rule?.number ?? null,
    verdict: event.verdict,
    ...(event.target !== undefined && { target: event.target }),
    ...(event.policy !== undefined && { policy: event.policy }),
    ...(rule && { text: rule.text }),
    ...(rule?.line !== undefined && { line: rule.line }),
    ...(rule?.file !== undefined && { file: rule.file }),
    ...(event.action !== undefined && { action: event.action }),
    ...(event.mark !== 0 && { mark: hex(event.mark) }),
  };
}

function resultJson(flow: Flow, end: Ended['end']): object {
  switch (end.kind) {
    case 'leaves':
    case 'delivered':
      return {
        verdict: end.kind,
        ...headerJson(flow),
        mark: hex(flow.mark),
        ...(end.kind === 'leaves' && { out: flow.outInterface ?? null }),
      };
    case 'rejected':
      return { verdict: 'rejected', reject: rejectionText(end.rejection, flow) };
    case 'unroutable':
    case 'unknown':
      return { verdict: end.kind, why: end.why };
    default:
      return { verdict: end.kind };
  }
}

function headerJson({ packet, connection }: Flow): object {
  const isDrawn = connection.sourceBinding?.isPortDrawn === true;
  const [sourceDrawn, destinationDrawn] = connection.direction === 'original' ? [isDrawn, false] : [false, false];
  return {
    src: addressJson(packet.source),
    ...(packet.sourcePort !== undefined && { sport: sourceDrawn ? null : portJson(packet.sourcePort) }),
    dst: addressJson(packet.destination),
    ...(packet.destinationPort !== undefined && {
      dport: destinationDrawn ? null : portJson(packet.destinationPort),
    }),
  };
}

function addressJson(values: ValueSet): string | null {
  const value = onlyValue(values);
  return value === undefined ? null : addressText(value);
}

function portJson(values: ValueSet): number | null {
  const value = onlyValue(values);
  return value === undefined ? null : Number(value);
}

/** The remaining entry: packets that were dropped on the way leave none. */
function conntrackJson({ flow, end }: Ended): object | null {
  const { state } = flow.connection;
  const isConfirmed = end.kind === 'leaves' || end.kind === 'delivered';
  if (!isConfirmed || state === 'invalid' || state === 'untracked') return null;
  const side = (tuple: ReturnType<typeof originalTuple>, isReply: boolean) => ({
    src: addressJson(tuple.source),
    ...(tuple.sourcePort !== undefined && { sport: portJson(tuple.sourcePort) }),
    dst: addressJson(tuple.destination),
    ...(tuple.destinationPort !== undefined && {
      dport: isReply && flow.connection.sourceBinding?.isPortDrawn ? null : portJson(tuple.destinationPort),
    }),
  });
  return {
    orig: side(originalTuple(flow), false),
    reply: side(replyTuple(flow), true),
    mark: hex(flow.connection.mark),
  };
}

function natText(flow: Flow, half: 'source' | 'destination'): string | null {
  const { connection } = flow;
  if (!isTranslated(connection, half)) return null;
  const tuple = replyTuple(flow);
  const isDestination = half === 'destination';
  const address = onlyValue(isDestination ? tuple.source : tuple.destination);
  const port = isDestination && tuple.sourcePort ? onlyValue(tuple.sourcePort) : undefined;
  return endText(address, port as Value | undefined);
}

function hex(mark: number): string {
  return `0x${mark.toString(16)}`;
}
