import type { NodeTracer } from '../trace/nodeTracer.ts';
import type { PacketQuestion } from '../trace/question/askPacket.ts';
import type { TraceConditions } from '../trace/tracer.ts';
import type { BehaviourInput } from './behaviour.ts';
import { areOptions, type OptionRules } from './options/checkOptions.ts';
import { date, list, text, whole } from './options/valueRule.ts';
import { type Result, resultOf } from './result.ts';

/** What becomes of a packet, as the commands `trace` and `why` say it. */

/** Opens the rules of a node to follow packets through them, as many as are asked about; the rules are read once. */
export async function openTracer({ rules, objects }: BehaviourInput): Promise<NodeTracer> {
  return (await import('../trace/nodeTracer.ts')).createNodeTracer(rules, objects);
}

/** What became of a packet. */
export interface TracedPacket {
  /** k8snet.trace/v1, as `trace -o json` prints it. */
  readonly trace: object;
  readonly verdict: string;
  /** What `why` says. */
  readonly why: string;
}

const questionRules: OptionRules<PacketQuestion> = {
  from: text,
  to: text,
  proto: text,
  in: text,
  physin: text,
  flags: text,
  state: text,
  mark: text,
};

const conditionRules: OptionRules<TraceConditions> = { seen: list, elapsed: whole(0), at: date, user: whole(0) };

/** Follows one packet through the rules of a node. */
export async function trace(
  input: BehaviourInput,
  question: PacketQuestion,
  conditions: Partial<TraceConditions> = {},
): Promise<Result<TracedPacket | undefined>> {
  return resultOf(async (report) => {
    const areFine = [areOptions(question, questionRules, report), areOptions(conditions, conditionRules, report)];
    if (areFine.includes(false)) return undefined;
    const { rules } = input;
    const tracer = await openTracer(input);
    const result = tracer.trace(question, conditions);
    if ('kind' in result) {
      report({ code: 'bad-option', severity: 'error', message: result.message, at: [] });
      return undefined;
    }
    const { family } = result.packet;
    const [{ traceJson }, { whyCauses }, { traceAnswerOf }, { whyText }, { readingNotes }] = await Promise.all([
      import('../trace/show/traceJson.ts'),
      import('../why/whyCauses.ts'),
      import('../why/traceAnswerOf.ts'),
      import('../why/whyText.ts'),
      import('../node/lines/readingNotes.ts'),
    ]);
    const known: ReturnType<NodeTracer['known']> = tracer.known(question, result);
    const walked = tracer.tracerOf(family).input;
    const why = whyCauses(result, walked, known);
    const json = traceJson(result, tracer.endpointNames(family), {
      findings: (await findingsMet(rules))(result),
      notes: readingNotes(rules),
      // A trace is asked about a packet that is here, however it came.
      answer: traceAnswerOf(whyCauses(result, walked, { ...known, isInterfaceGiven: true })),
    });
    return { trace: json, verdict: why.verdict, why: whyText(why, result) };
  });
}

/** Findings of the dump that is walked; rules that were compiled have no places, and no faults. */
async function findingsMet(rules: BehaviourInput['rules']): Promise<import('../trace/metFindings.ts').FindMet> {
  const { findMet, isQuicklyDiagnosed } = await import('../trace/metFindings.ts');
  if (!isQuicklyDiagnosed(rules)) return () => [];
  const { diagnoseNode } = await import('../doctor/diagnoseNode.ts');
  return findMet((await diagnoseNode(rules)).findings);
}
