import { wrapText } from '../help/wrapText.ts';

/**
 * Pieces of manual pages, as `man` reads them (man(7)). The input is plain text, and the output has no other meaning.
 */
export const roff = {
  /** A sentence, as lines: options keep their dashes. */
  text: (text: string) => {
    const lines = wrapText(escaped(text).replace(/(?<![\w-])-|(?<=-)-(?=\w)/g, '\\-'), longestLine).split('\n');
    return lines.map(line).join('\n');
  },
  /** Letter by letter what is typed. */
  literal: (text: string) => line(escaped(text).replaceAll('-', '\\-')),
  bold: (text: string) => `\\fB${escaped(text).replaceAll('-', '\\-')}\\fR`,
  /** An argument of a macro. */
  quoted: (text: string) => `"${escaped(text).replaceAll('"', '\\(dq').replaceAll('-', '\\-')}"`,
} as const;

/** mandoc requires that, for people who read the sources of pages. */
const longestLine = 78;

function escaped(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replace(/['`^~]/g, (mark) => named[mark] ?? mark)
    .replace(
      /[^\0-\x7f]/gu,
      (mark) => `\\[u${(mark.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`,
    );
}

/** Characters that are typeset as others. */
const named: Readonly<Record<string, string>> = { "'": '\\(aq', '`': '\\(ga', '^': '\\(ha', '~': '\\(ti' };

/** A line that begins with a dot would be a macro. */
function line(text: string): string {
  return text.startsWith('.') ? `\\&${text}` : text;
}
