import type { Evidence } from '../diagnostics/problem.ts';
import type { WalkEvent } from '../walk/flow.ts';
import type { WalkRule } from '../walk/input/walkInput.ts';

/** The rule of an event with its place, or the policy that took effect. */
export function evidenceOf(event: WalkEvent | undefined): readonly Evidence[] {
  if (event === undefined) return [];
  if (event.rule !== undefined) return [ruleEvidence(event.rule)];
  if (event.verdict !== 'policy') return [];
  return [fact(`the policy of ${event.chain.table.name} ${event.chain.name} is ${event.policy?.toUpperCase()}`)];
}

export function ruleEvidence({ text, file, line }: WalkRule): Evidence {
  return { kind: 'rule', text, ...(file !== undefined && { file }), ...(line !== undefined && { line }) };
}

export function fact(text: string): Evidence {
  return { kind: 'fact', text };
}
