import { escapeText } from '../common/text/escapeText.ts';
import type { Severity } from '../problems/severity.ts';
import type { Place } from './place.ts';
import type { DiagnosticStyle } from './style.ts';

/**
 * The line that a place stands in, with its path at the right and carets below what is meant. Long lines (an
 * annotation may hold a whole object) are cut around the carets; what a terminal would act on is escaped.
 */
export function excerpt(place: Place, path: string, severity: Severity, style: DiagnosticStyle): string[] {
  const { before, marked, after } = cut(place);
  const margin = `  ${place.line} | `;
  const blank = `${' '.repeat(margin.length - 2)}| `;
  const text = before + marked + after;
  const gap = ' '.repeat(Math.max(pathColumn - displayWidth(text), 4));
  const right = path === '' ? '' : gap + style.path(shorten(escapeText(path), longestPath));
  const indent = ' '.repeat(displayWidth(before));
  const carets = style.caret('^'.repeat(Math.max(displayWidth(marked), 1)), severity);
  return [style.margin(margin) + text + right, style.margin(blank) + indent + carets];
}

const longestLine = 80;
/** Columns that stay visible before the carets of a long line. */
const longestBefore = 44;
const longestPath = 100;
/** Paths stand below each other where the lines are short. */
const pathColumn = 33;

interface Cut {
  readonly before: string;
  readonly marked: string;
  readonly after: string;
}

/** Only the neighborhood is looked at: the line may have many megabytes. */
function cut({ lineText, index, column, endColumn }: Place): Cut {
  const count = endColumn === undefined ? 1 : endColumn - column;
  const near = Array.from(lineText.slice(index, index + longestLine * 4));
  const marked = shorten(escapeText(near.slice(0, count).join('')), longestLine);
  const rest = near.slice(count).join('');
  const reach = lineText.slice(Math.max(0, index - longestLine * 2), index);
  const whole = escapeText(reach);
  const isFarIn = index > longestLine * 2;
  const total = whole.length + marked.length + escapeText(rest.slice(0, longestLine)).length;
  const keepsBefore = !isFarIn && (total <= longestLine || whole.length <= longestBefore);
  const before = keepsBefore ? whole : `…${Array.from(whole).slice(-longestBefore).join('')}`;
  const room = Math.max(longestLine - before.length - marked.length, 8);
  return { before, marked, after: shorten(escapeText(rest), room) };
}

function shorten(text: string, room: number): string {
  const characters = Array.from(text);
  return characters.length <= room ? text : `${characters.slice(0, room - 1).join('')}…`;
}

/** The columns that a printed text takes in a terminal: CJK and emoji two, combining marks none. */
function displayWidth(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += wide.test(character) ? 2 : combining.test(character) ? 0 : 1;
  return width;
}

// Wide and full-width characters of East Asia, by block.
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]/u;
const combining = /\p{M}/u;
