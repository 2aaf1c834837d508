/** An answer that may hang on what is not known. */
export type Ternary = 'yes' | 'no' | 'maybe';

/** One `no` decides; none: yes. */
export function allOf(answers: readonly Ternary[]): Ternary {
  if (answers.includes('no')) return 'no';
  return answers.includes('maybe') ? 'maybe' : 'yes';
}
