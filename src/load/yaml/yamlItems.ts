import type { DocumentRange } from './splitDocuments.ts';
import { usualReader } from './usualYaml.ts';

/** Where the items of a List stand in its text. */
export interface YamlItems {
  /** Their dashes, and the end of the last one. */
  readonly starts: readonly number[];
  readonly end: number;
}

/**
 * Finds the items of a long List without a syntax tree of all of it. Only in documents that the usual reader takes:
 * there every line of a value is indented deeper than the dash that it belongs to. Undefined in others, and in short ones.
 */
export function yamlItems(text: string, range: DocumentRange): YamlItems | undefined {
  if (range.end - range.start < shortest || usualReader(text, false)(range) === undefined) return undefined;
  const key = /^items:[ ]*(?:#.*)?\n/m.exec(text.slice(range.start, range.end));
  if (key === null) return undefined;
  const starts: number[] = [];
  let indent = -1;
  for (let line = range.start + key.index + key[0].length; line < range.end; ) {
    let at = line;
    while (text[at] === ' ') at += 1;
    const first = text[at];
    const newline = text.indexOf('\n', at);
    const next = newline === -1 ? range.end : newline + 1;
    if (first !== '\n' && first !== '#' && at < range.end) {
      if (indent === -1) indent = at - line;
      const isItem = at - line === indent && first === '-';
      if (isItem) starts.push(at);
      else if (at - line <= indent) return itemsUntil(line, starts);
    }
    line = next;
  }
  return itemsUntil(range.end, starts);
}

function itemsUntil(end: number, starts: readonly number[]): YamlItems | undefined {
  return starts.length === 0 ? undefined : { starts, end };
}

/** The tree of a shorter document is made in no time. */
const shortest = 1 << 17;
