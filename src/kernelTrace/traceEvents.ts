import { escapeText } from '../common/text/escapeText.ts';
import type { NodeTracer } from '../trace/nodeTracer.ts';
import { traceJson } from '../trace/show/traceJson.ts';
import { traceText } from '../trace/show/traceText.ts';
import type { TraceResult } from '../trace/traceResult.ts';
import type { WalkEvent } from '../walk/flow.ts';
import type { WalkInput } from '../walk/input/walkInput.ts';
import { trailItems } from '../walk/values/trail.ts';
import { kernelTraces } from './kernelTrace.ts';
import { readKernelTrace } from './readKernelTrace.ts';
import { stepsWithoutPacket } from './stepsWithoutPacket.ts';

export type TracedEvents =
  | { readonly kind: 'events'; readonly text: string; readonly json: object; readonly differs: boolean }
  | { readonly kind: 'problem'; readonly message: string };

/** The kernel's own trace as trees, and, with a walk of the same packet beside it, the first step at which they part. */
export function traceEvents(
  tracer: NodeTracer,
  text: string,
  walk: TraceResult | undefined,
  { isVerbose }: { readonly isVerbose: boolean },
): TracedEvents {
  const { steps, unreadable } = readKernelTrace(text);
  const inputs = { ip: tracer.tracerOf('ipv4').input, ip6: tracer.tracerOf('ipv6').input };
  const packets = kernelTraces(steps, inputs);
  if (packets.length === 0)
    return {
      kind: 'problem',
      message: `--events: no packet can be read from it (${unreadable.length} unreadable lines)`,
    };
  const compared = packets.map((packet) =>
    walk !== undefined && isAsked(packet, walk) ? compare(packet, walk, inputs) : undefined,
  );
  if (walk !== undefined && compared.every((one) => one === undefined))
    return { kind: 'problem', message: '--events: no packet of it is from --from to --to' };
  const orphans = stepsWithoutPacket(steps);
  const trees = packets.map((packet, at) => {
    const names = tracer.endpointNames(packet.packet.family);
    const tree = traceText(packet, names, { isVerbose, isRecorded: true });
    const one = compared[at];
    return one === undefined ? tree : `${tree}${escapeText(comparisonText(one))}\n`;
  });
  const tail = unreadable.slice(0, mostNamed).map(({ line, text: said }) => `unreadable: line ${line}: ${said}`);
  if (unreadable.length > mostNamed) tail.push(`unreadable: ${unreadable.length} lines in all`);
  if (orphans > 0) tail.push(`skipped: ${orphans} lines of packets whose beginning is not in the trace`);
  return {
    kind: 'events',
    text: [...trees, ...(tail.length > 0 ? [tail.map((line) => `${escapeText(line)}\n`).join('')] : [])].join('\n'),
    json: {
      schema: 'k8snet.trace-events/v1',
      packets: packets.map((packet, at) => ({
        trace: traceJson(packet, tracer.endpointNames(packet.packet.family), { isRecorded: true }),
        comparison: compared[at] ?? null,
      })),
      unreadable,
      skipped: orphans,
    },
    differs: compared.some((one) => one?.agrees === false),
  };
}

const mostNamed = 10;

function isAsked({ packet }: TraceResult, { packet: asked }: TraceResult): boolean {
  const isPort = (port: number | undefined, wanted: number | undefined) => wanted === undefined || port === wanted;
  return (
    packet.protocol === asked.protocol &&
    packet.source === asked.source &&
    packet.destination === asked.destination &&
    isPort(packet.sourcePort, asked.sourcePort) &&
    isPort(packet.destinationPort, asked.destinationPort)
  );
}

interface Comparison {
  readonly agrees: boolean;
  /** Steps that are the same, from the first on. */
  readonly same: number;
  readonly kernel: string | null;
  readonly walk: string | null;
}

/** With the way of the walk that goes along with the kernel longest: chance may have taken any. */
function compare(
  recorded: TraceResult,
  walk: TraceResult,
  inputs: Readonly<Record<'ip' | 'ip6', WalkInput>>,
): Comparison {
  const input = inputs[recorded.packet.family === 'ipv4' ? 'ip' : 'ip6'];
  const kernel = comparedSteps(recorded.outcomes[0], input);
  let best: Comparison | undefined;
  for (const outcome of walk.outcomes) {
    const walked = comparedSteps(outcome, input);
    let same = 0;
    while (same < kernel.length && kernel[same] === walked[same]) same += 1;
    const agrees = same === kernel.length && same === walked.length;
    if (best === undefined || agrees || (!best.agrees && same > best.same))
      best = { agrees, same, kernel: kernel[same] ?? null, walk: walked[same] ?? null };
  }
  return best ?? { agrees: false, same: 0, kernel: kernel[0] ?? null, walk: null };
}

/**
 * Not every kernel reports the ends of chains, and the rule that starts a trace is not in the dump: neither is
 * compared. A table that the dump lacks counts only if it drops the packet.
 */
function comparedSteps(outcome: TraceResult['outcomes'][number] | undefined, { tables }: WalkInput): readonly string[] {
  return trailItems(outcome?.first.flow.path).flatMap((event) => {
    const isHere = tables.includes(event.chain.table);
    const isTracing = /-j TRACE\b|nftrace set/.test(event.rule?.text ?? event.action ?? '');
    const isDropped = event.verdict === 'drop' || event.policy === 'drop';
    return event.verdict === 'end' || isTracing || (!isHere && !isDropped) ? [] : [stepText(event)];
  });
}

function stepText({ hook, leg, chain, rule, verdict, target, policy, action }: WalkEvent): string {
  const where = `${leg === 2 ? 'lo: ' : ''}${hook.toUpperCase()} ${chain.table.name} ${chain.name}`;
  const what = verdict === 'policy' ? 'policy' : rule === undefined ? (action ?? '') : `#${rule.number}`;
  return `${where} ${what} ${(policy ?? verdict).toUpperCase()}${target === undefined ? '' : ` → ${target}`}`;
}

function comparisonText({ agrees, same, kernel, walk }: Comparison): string {
  if (agrees) return `walk: agrees in all ${same} steps`;
  return `walk: differs behind ${same} steps: kernel ${kernel ?? 'ends'}; walk ${walk ?? 'ends'}`;
}
