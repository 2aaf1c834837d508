import { giveUp, lineEnd, space, tab, toLine, type UsualCursor } from './usualCursor.ts';

/** The block scalar (`|` or `>`) whose header begins at `at`; its lines are indented deeper than `parent`. */
export function usualBlockScalar(cursor: UsualCursor, at: number, parent: number): string | undefined {
  const { text } = cursor;
  const headEnd = lineEnd(cursor, at);
  const [, style, digit, chomping] = header.exec(text.slice(at, headEnd)) ?? [];
  if (style === undefined) return giveUp(cursor);
  const lines = linesOf(
    cursor,
    headEnd + 1,
    digit === undefined || digit === '' ? undefined : parent + Number(digit),
    parent,
  );
  if (lines === undefined) return giveUp(cursor);
  const body = style === '|' ? lines.content.join('\n') : folded(lines.content);
  // Empty, or nothing but empty lines: what chomping then does is left to the full reader.
  if (body === undefined || lines.content.length === 0) return giveUp(cursor);
  switch (chomping) {
    case '-':
      return body;
    case '+':
      return `${body}\n${'\n'.repeat(lines.blankAfter)}`;
    default:
      return `${body}\n`;
  }
}

const header = /^([|>])([1-9]?)([-+]?) *$/;

interface BlockLines {
  /** Without indentation, up to the last line that is not empty. */
  readonly content: readonly string[];
  /** Empty lines behind. */
  readonly blankAfter: number;
}

/** The lines of a block scalar; the cursor then is behind them. */
function linesOf(
  cursor: UsualCursor,
  start: number,
  given: number | undefined,
  parent: number,
): BlockLines | undefined {
  const { text, end } = cursor;
  const content: string[] = [];
  let indent = given;
  let blank = 0;
  let line = start;
  while (line < end) {
    const stop = lineEnd(cursor, line);
    // The last line has no end: what that means to chomping is left to the full reader.
    if (stop === end) return undefined;
    let at = line;
    while (text.charCodeAt(at) === space) at += 1;
    if (at === stop) {
      // Blanks may be content here.
      if (indent === undefined ? at > line : at - line > indent) return undefined;
      blank += 1;
    } else if (text.charCodeAt(at) === tab) {
      return undefined;
    } else {
      indent ??= at - line;
      if (indent <= parent) return undefined;
      if (at - line < indent) {
        // Less than the scalar, more than its parent: wrong, or a comment.
        if (at - line > parent) return undefined;
        break;
      }
      for (; blank > 0; blank -= 1) content.push('');
      content.push(text.slice(line + indent, stop));
    }
    line = stop + 1;
  }
  toLine(cursor, line);
  return { content, blankAfter: blank };
}

/** Lines of `>`: a line end is a blank, an empty line a line end. Undefined where deeper lines keep theirs. */
function folded(lines: readonly string[]): string | undefined {
  let body = '';
  let breaks = 0;
  for (const [index, line] of lines.entries()) {
    if (line === '') {
      breaks += 1;
      continue;
    }
    if (line.charCodeAt(0) === space) return undefined;
    if (breaks > 0) body += '\n'.repeat(breaks);
    else if (index > 0) body += ' ';
    body += line;
    breaks = 0;
  }
  return body;
}
