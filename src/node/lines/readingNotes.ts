import { count } from '../../common/text/count.ts';
import type { NodeRules } from '../nodeRules.ts';
import { placeText } from './placeText.ts';
import { splitProse } from './splitProse.ts';

/** Sentences about what could not be read in a dump, including lines that may be damaged rules. */
export function readingNotes({ notes, unread }: NodeRules): readonly string[] {
  const { damaged } = splitProse(unread);
  const [first] = damaged;
  if (first === undefined) return notes;
  const lines = `${count(damaged.length, 'line')} could not be read, the first at ${placeText(first)}: ${first.message}`;
  return [...notes, lines];
}
