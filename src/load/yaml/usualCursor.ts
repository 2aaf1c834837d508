/** Where the reader of usual YAML is; see `usualYaml.ts`. */
export interface UsualCursor {
  readonly text: string;
  readonly end: number;
  /** Unquoted `y` and `n` are text. */
  readonly keepsShortWords: boolean;
  /** The first character of the current line that is no space; `end` behind the last line. */
  at: number;
  /** The column of `at`; -1 behind the last line. */
  indent: number;
  /** A comment stood between the current line and the one before. */
  isAfterComment: boolean;
  /** Something was met that the full reader must judge. */
  isUnusual: boolean;
  depth: number;
  /** Items of Lists that were read before; undefined: nothing is kept. */
  readonly items: ItemMemory | undefined;
}

/** Items of the Lists of earlier texts, by their text. */
export interface ItemMemory {
  readonly itemOf: (text: string) => KeptItem | undefined;
  readonly keepItem: (text: string, item: KeptItem) => void;
}

/** The value of an item, and how the reader came to the line behind it. */
export interface KeptItem {
  readonly column: number;
  readonly value: unknown;
  readonly isAfterComment: boolean;
}

/** Goes to the first line from `start` (the start of a line) on that is neither blank nor a comment. */
export function toLine(cursor: UsualCursor, start: number): void {
  const { text, end } = cursor;
  cursor.isAfterComment = false;
  for (let line = start; line < end; ) {
    let at = line;
    while (text.charCodeAt(at) === space) at += 1;
    if (at >= end) break;
    const first = text.charCodeAt(at);
    if (first !== newline && first !== hash) {
      cursor.at = at;
      cursor.indent = at - line;
      return;
    }
    if (first === hash) cursor.isAfterComment = true;
    line = lineEnd(cursor, at) + 1;
  }
  cursor.at = end;
  cursor.indent = -1;
}

/** Ends reading: all loops run while the indentation is theirs. */
export function giveUp(cursor: UsualCursor): undefined {
  cursor.isUnusual = true;
  cursor.at = cursor.end;
  cursor.indent = -1;
  return undefined;
}

/** Where the line of `at` ends: at its newline or at the end of the document. */
export function lineEnd({ text, end }: UsualCursor, at: number): number {
  const found = text.indexOf('\n', at);
  return found === -1 || found > end ? end : found;
}

/** Behind a value only blanks and a comment may stand; goes on to the next line. */
export function endLine(cursor: UsualCursor, from: number): void {
  const { text, end } = cursor;
  let at = from;
  while (text.charCodeAt(at) === space) at += 1;
  const code = text.charCodeAt(at);
  if (at >= end) toLine(cursor, end);
  else if (code === newline) toLine(cursor, at + 1);
  else if (code === hash && at > from) toLine(cursor, lineEnd(cursor, at) + 1);
  else giveUp(cursor);
}

export const newline = 0x0a;
export const tab = 0x09;
export const space = 0x20;
export const hash = 0x23;
export const colon = 0x3a;
