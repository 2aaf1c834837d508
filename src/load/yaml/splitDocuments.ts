/** One YAML document of a text: from its directives and comments to the next marker. */
export interface DocumentRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Splits a YAML stream at its `---` and `...` lines. A line that starts so is a marker wherever it stands, also inside
 * quotes, brackets and block scalars, so that lines tell it and one broken document does not spoil the next.
 */
export function splitDocuments(text: string): DocumentRange[] {
  const ranges: DocumentRange[] = [];
  let start = 0;
  let hasMarker = false;
  let hasContent = false;
  const close = (end: number): void => {
    if (hasMarker || hasContent) ranges.push({ start, end });
    start = end;
    hasMarker = false;
    hasContent = false;
  };
  for (let line = 0; line < text.length; ) {
    const newline = text.indexOf('\n', line);
    const next = newline === -1 ? text.length : newline + 1;
    const first = text.charCodeAt(line);
    if (first === dash && isMarker(text, line, '---')) {
      if (hasMarker || hasContent) close(line);
      hasMarker = true;
    } else if (first === dot && isMarker(text, line, '...')) {
      close(next);
      start = next;
    } else if (!hasContent) {
      hasContent = isContent(text, line, next, hasMarker);
    }
    line = next;
  }
  close(text.length);
  return ranges;
}

const dash = 0x2d;
const dot = 0x2e;

function isMarker(text: string, at: number, marker: string): boolean {
  if (!text.startsWith(marker, at)) return false;
  const after = text[at + 3];
  return after === undefined || after === ' ' || after === '\n' || after === '\t' || after === '\r';
}

/** A line that is more than a blank, a comment or, before `---`, a directive. */
function isContent(text: string, start: number, end: number, isInside: boolean): boolean {
  for (let at = start; at < end; at += 1) {
    const character = text[at];
    if (character === ' ' || character === '\t' || character === '\r' || character === '\n') continue;
    return character !== '#' && !(character === '%' && at === start && !isInside);
  }
  return false;
}
