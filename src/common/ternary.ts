/** An answer that may depend on something unknown. */
export type Ternary = 'yes' | 'no' | 'maybe';

/** A single `no` decides; no answers at all mean yes. */
export function allOf(answers: readonly Ternary[]): Ternary {
  if (answers.includes('no')) return 'no';
  return answers.includes('maybe') ? 'maybe' : 'yes';
}
