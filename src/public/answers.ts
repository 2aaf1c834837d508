import type { Family } from '../common/family.ts';
import type { ReadPolicies } from '../pipeline/readPolicies.ts';
import type { PolicyMatrix } from '../policy/policyMatrix.ts';
import type { TestOutcome } from '../policy/testPolicy.ts';
import type { NodeTracer } from '../trace/nodeTracer.ts';
import type { PacketQuestion } from '../trace/question/askPacket.ts';
import type { TraceConditions } from '../trace/tracer.ts';
import { type BehaviourInput, nodeTracer } from './behaviour.ts';

/** Answers to questions about one packet or one connection, as the commands `trace`, `why` and `policy` give them. */

/** What became of a packet. */
export type WalkAnswer =
  | { readonly kind: 'problem'; readonly message: string }
  | {
      readonly kind: 'walked';
      /** k8snet.trace/v1, as `trace -o json` prints it. */
      readonly trace: object;
      readonly verdict: string;
      /** What `why` says. */
      readonly why: string;
    };

/** Follows one packet through the rules of a node. */
export async function walk(
  { rules, objects }: BehaviourInput,
  question: PacketQuestion,
  conditions: Partial<TraceConditions> = {},
): Promise<WalkAnswer> {
  const tracer = await nodeTracer({ rules, objects });
  const result = tracer.trace(question, conditions);
  if ('kind' in result) return { kind: 'problem', message: result.message };
  const { family } = result.packet;
  const [{ traceJson }, { whyCauses }, { traceAnswerOf }, { whyText }, { readingNotes }] = await Promise.all([
    import('../trace/show/traceJson.ts'),
    import('../why/whyCauses.ts'),
    import('../why/traceAnswerOf.ts'),
    import('../why/whyText.ts'),
    import('../node/lines/readingNotes.ts'),
  ]);
  const { input } = tracer.tracerOf(family);
  const known: ReturnType<NodeTracer['known']> = tracer.known(question, result);
  const why = whyCauses(result, input, known);
  const trace = traceJson(result, tracer.endpointNames(family), {
    findings: (await findingsMet(rules))(result),
    notes: readingNotes(rules),
    // A trace is asked about a packet that is here, however it came.
    answer: traceAnswerOf(whyCauses(result, input, { ...known, isInterfaceGiven: true })),
  });
  return { kind: 'walked', trace, verdict: why.verdict, why: whyText(why, result) };
}

/** Findings of the dump that is walked; rules that were compiled have no places, and no faults. */
async function findingsMet(rules: BehaviourInput['rules']): Promise<import('../trace/metFindings.ts').FindMet> {
  const { findMet, isQuicklyDiagnosed } = await import('../trace/metFindings.ts');
  if (!isQuicklyDiagnosed(rules)) return () => [];
  const { diagnoseNode } = await import('../doctor/diagnoseNode.ts');
  return findMet((await diagnoseNode(rules)).findings);
}

/** A matrix, and by row and column how `policy` is asked about it: Pods by name, what is outside by an address. */
export interface PolicyTable extends PolicyMatrix {
  readonly parties: readonly string[];
}

/** Who may connect to whom by the NetworkPolicies: namespaces, or all Pods. */
export async function policyMatrix(
  { model }: ReadPolicies,
  { rows, family }: { readonly rows: 'namespaces' | 'pods'; readonly family: Family },
): Promise<PolicyTable> {
  const [{ policyMatrix: judge }, { externalClasses }] = await Promise.all([
    import('../policy/policyMatrix.ts'),
    import('../policy/rules/externalClasses.ts'),
  ]);
  const zoom = rows === 'pods' ? ({ kind: 'pods', namespaces: [] } as const) : ({ kind: 'namespaces' } as const);
  const matrix = judge(model, { zoom, port: undefined, family });
  const outside = new Map(externalClasses(model, family).map(({ name, address }) => [name, address]));
  return { ...matrix, parties: matrix.names.map((name) => outside.get(name) ?? name) };
}

/** What `policy test` prints of an outcome. */
export async function policyText(outcome: TestOutcome): Promise<string> {
  if (outcome.kind === 'unanswerable') return outcome.message;
  const [{ checkText }, { othersText }] = await Promise.all([
    import('../policy/text/verdictText.ts'),
    import('../model/othersText.ts'),
  ]);
  const first = othersText([...new Set(outcome.checks.flatMap(({ others }) => others))]);
  return [...(first === undefined ? [] : [`${first}\n`]), ...outcome.checks.map(checkText)].join('');
}
