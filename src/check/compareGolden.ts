import type { createTwoFilesPatch } from 'diff';
import { count } from '../common/text/count.ts';
import { areSameRules } from './areSameRules.ts';
import type { CheckCase } from './checkCase.ts';
import { meaningOf } from './meaningOf.ts';

/** What came of comparing a golden file with what is printed now. */
export type GoldenResult =
  | { readonly kind: 'same' }
  /** There is no golden file yet. */
  | { readonly kind: 'missing' }
  | {
      readonly kind: 'differs';
      /** The first line of the golden file that differs, from 1; of rules: undefined. */
      readonly line?: number;
      readonly removed: number;
      readonly added: number;
      /** A unified diff, or why it is missing. */
      readonly patch: string;
    };

/**
 * Compares by bytes or by meaning. The patch shows what differs in the same terms: by meaning, lines that are only
 * written otherwise do not show.
 */
export function compareGolden(
  one: Pick<CheckCase, 'name' | 'golden' | 'form' | 'compare'>,
  golden: string | undefined,
  actual: string,
  createPatch: typeof createTwoFilesPatch,
): GoldenResult {
  if (golden === undefined) return { kind: 'missing' };
  if (golden === actual) return { kind: 'same' };
  const isByBytes = one.compare === 'bytes';
  const before = isByBytes ? golden : meaningText(golden, one);
  const after = isByBytes ? actual : meaningText(actual, one);
  if (before === after) return { kind: 'same' };
  const isIptables = !isByBytes && before.startsWith('# iptables ') && after.startsWith('# iptables ');
  if (isIptables && areSameRules(golden, actual)) {
    return { kind: 'same' };
  }
  const changes = countChanges(before, after);
  // jsdiff's time grows with the square of the differences, and nobody reads so many.
  const patch =
    createPatch(one.golden, `${one.golden} (now)`, before, after, '', '', { context: 3, maxEditLength: mostEdits }) ??
    `the texts have too little in common to show: ${count(changes.removed, 'line')} against ${changes.added}\n`;
  return { kind: 'differs', ...changes, ...(isByBytes ? { line: firstDifference(before, after) } : {}), patch };
}

/** Lines removed and added that a patch shows. */
const mostEdits = 3000;

/** Lines that only one of the texts has, however often. */
function countChanges(before: string, after: string): { readonly removed: number; readonly added: number } {
  const counts = new Map<string, number>();
  for (const line of before.split('\n')) counts.set(line, (counts.get(line) ?? 0) + 1);
  for (const line of after.split('\n')) counts.set(line, (counts.get(line) ?? 0) - 1);
  let removed = 0;
  let added = 0;
  for (const number of counts.values()) {
    if (number > 0) removed += number;
    else added -= number;
  }
  return { removed, added };
}

function firstDifference(before: string, after: string): number {
  let line = 1;
  for (let at = 0; at < before.length && before[at] === after[at]; at += 1) if (before[at] === '\n') line += 1;
  return line;
}

function meaningText(text: string, { form }: Pick<CheckCase, 'form'>): string {
  return meaningOf(text, form)
    .map((line) => `${line}\n`)
    .join('');
}
