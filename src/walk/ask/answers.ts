import type { Generator } from '../../netfilter/meaning.ts';
import type { Answer, FlowPart, WalkContext } from '../context.ts';
import type { Choice, Flow } from '../flow.ts';
import { copyOfFlow } from '../flowShape.ts';
import type { WalkRule } from '../input/walkInput.ts';
import { fraction, times } from '../values/fraction.ts';
import { appended } from '../values/trail.ts';

/** Both answers are followed; their probabilities are unknown. */
export function unknownAnswer(flow: Flow, text: string, rule: WalkRule, context: WalkContext): readonly FlowPart[] {
  const { chain, number } = rule;
  context.notes.unknown.set(`${chain.table.backend} ${chain.table.name} ${chain.name} ${number} ${text}`, {
    rule,
    text,
  });
  const open: Flow = { ...flow, share: undefined };
  return [
    { flow: open, holds: true },
    { flow: open, holds: false },
  ];
}

/** The flow in two shares. */
export function byChance(flow: Flow, share: number, whole: number, choice: Omit<Choice, 'taken'>): Answer {
  if (share <= 0) return false;
  if (share >= whole) return true;
  return [
    { flow: taken(flow, share, whole, { ...choice, taken: true }), holds: true },
    { flow: taken(flow, whole - share, whole, { ...choice, taken: false }), holds: false },
  ];
}

export function taken(flow: Flow, share: number, whole: number, choice: Choice): Flow {
  const next = copyOfFlow(flow);
  next.share = flow.share && times(flow.share, fraction(share, whole));
  next.choices = appended(flow.choices, choice);
  return next;
}

/** A flow whose key comes from a generator: one flow for each number. */
export function drawn(
  flow: Flow,
  generator: Generator,
  rule: WalkRule,
): readonly { readonly flow: Flow; readonly value: number }[] {
  const { modulus, offset, how } = generator;
  const kind = how === 'jhash' || how === 'symhash' ? 'jhash' : 'numgen';
  return Array.from({ length: modulus }, (_, at) => ({
    flow: modulus === 1 ? flow : taken(flow, 1, modulus, { rule, kind, taken: true }),
    value: offset + at,
  }));
}
