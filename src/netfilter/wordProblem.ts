import type { LineProblem } from './lineProblem.ts';

/** A problem of a line at one of its words, counted from 0; beyond the last one it is at that. */
export function wordProblem(line: number, content: string, badWord: number, message: string): LineProblem {
  const words = [...content.matchAll(/\S+/g)];
  const word = words[badWord] ?? words.at(-1);
  return { line, column: (word?.index ?? 0) + 1, word: word?.[0] ?? '', message };
}
