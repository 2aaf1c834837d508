import type { AskedCompletion } from './askedCompletion.ts';
import type { Completion } from './completionOf.ts';

/**
 * The answer in the form of kubectl's commands: a line for each candidate, with its description after a tab, and at the
 * end a number that says what else the shell may offer.
 */
export function answerText({ candidates, files, before, isOpen }: Completion, asked: AskedCompletion): string {
  const cut = asked.shell === 'kubectl' ? before.length : asked.kept;
  const lines = candidates.map(([word, note]) => {
    const shown = shortNote(note);
    return `${word.slice(cut)}${shown === '' ? '' : `\t${shown}`}\n`;
  });
  const directive = (files === 'none' ? noFiles : files === 'folders' ? foldersOnly : 0) + (isOpen ? noBlank : 0);
  return `${lines.join('')}:${directive}\n`;
}

/** Bits of that number, as kubectl's library names them. */
const noBlank = 2;
const noFiles = 4;
const foldersOnly = 16;

/** One line, short enough to be next to a word. */
function shortNote(note: string): string {
  const [first = ''] = note
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .replace(/ \(default: .*\)$/, '')
    .split(/\. |; /);
  return first.length > longest ? `${first.slice(0, longest - 1).trimEnd()}…` : first;
}

const longest = 72;
