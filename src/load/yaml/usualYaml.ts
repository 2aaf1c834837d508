import type { DocumentRange } from './splitDocuments.ts';
import {
  endLine,
  giveUp,
  hash,
  type ItemMemory,
  lineEnd,
  newline,
  space,
  toLine,
  type UsualCursor,
} from './usualCursor.ts';
import { type KeyReader, keyReader } from './usualKey.ts';
import { usualValue } from './usualValue.ts';

/** Reads documents of one text; undefined for one that only the full reader may judge. */
export type UsualReader = (range: DocumentRange) => { readonly value: unknown } | undefined;

/**
 * Reads YAML as people and kubectl write it for Kubernetes, many times as fast as the full reader: block mappings and
 * sequences, scalars of every style, flow collections on one line, comments. It gives the values that `parseYaml` and
 * `yamlToJson` would give without a complaint, or nothing: with anchors, tags, merges, tabs, equal keys, or anything
 * that might be wrong, the full reader decides and finds the words.
 */
export function usualReader(text: string, keepsShortWords: boolean, items?: ItemMemory): UsualReader {
  // Of a whole text at once: mostly none has any.
  const isClean = !unusual.test(text);
  const keys = keyReader(keepsShortWords);
  return (range) => {
    if (!isClean && unusual.test(text.slice(range.start, range.end))) return undefined;
    const end = contentEnd(text, range);
    const cursor: UsualCursor = {
      text,
      end,
      keepsShortWords,
      at: range.start,
      indent: 0,
      isAfterComment: false,
      isUnusual: false,
      depth: 0,
      items,
    };
    toLine(cursor, range.start);
    if (cursor.indent === 0 && text.startsWith('---', cursor.at)) endLine(cursor, cursor.at + 3);
    const value = cursor.indent === -1 ? null : rootNode(cursor, keys);
    return cursor.isUnusual || cursor.indent !== -1 ? undefined : { value };
  };
}

/** Characters on whose meaning readers of YAML differ: line ends of other kinds, blanks beyond ASCII, a BOM. */
const unusual = /[\r\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]/;

/** Deeper ones are left to the reader that counts levels as Kubernetes does. */
const deepest = 60;

/** A last line `...` is no content. */
function contentEnd(text: string, { start, end }: DocumentRange): number {
  const last = text.lastIndexOf('\n', end - 2) + 1;
  return last >= start && text.startsWith('...', last) && text.slice(last + 3, end).trim() === '' ? last : end;
}

/** What a document holds: blocks, or JSON. */
function rootNode(cursor: UsualCursor, keys: KeyReader): unknown {
  const first = cursor.text[cursor.at];
  return first === '{' || first === '[' ? usualValue(cursor, cursor.at, -1) : blockNode(cursor, keys);
}

/** The mapping or sequence that begins on the current line, at the column of the line. */
function blockNode(cursor: UsualCursor, keys: KeyReader): unknown {
  if (isDash(cursor, cursor.at)) return sequence(cursor, keys, cursor.indent);
  const key = keys(cursor, cursor.at);
  return key === undefined ? giveUp(cursor) : mapping(cursor, keys, cursor.indent, key);
}

function isDash({ text, end }: UsualCursor, at: number): boolean {
  if (text.charCodeAt(at) !== dash) return false;
  const next = text.charCodeAt(at + 1);
  return next === space || next === newline || at + 1 >= end;
}

const dash = 0x2d;

/** The mapping whose first key was read; its keys stand at `column`. */
function mapping(cursor: UsualCursor, keys: KeyReader, column: number, first: string): Record<string, unknown> {
  const value: Record<string, unknown> = {};
  let key: string | undefined = first;
  if (++cursor.depth > deepest) giveUp(cursor);
  while (!cursor.isUnusual) {
    // Equal keys, and names that every object has: the full reader knows what to do.
    if (key === undefined || value[key] !== undefined) {
      giveUp(cursor);
      break;
    }
    value[key] = valueOfKey(cursor, keys, column);
    if (cursor.indent !== column) break;
    key = keys(cursor, cursor.at);
  }
  cursor.depth -= 1;
  return value;
}

/** What stands behind the colon of a key at `column`, on its line or on the ones below. */
function valueOfKey(cursor: UsualCursor, keys: KeyReader, column: number): unknown {
  const at = skipSpaces(cursor, keys.end());
  if (isInline(cursor, at)) return usualValue(cursor, at, column);
  toLine(cursor, lineEnd(cursor, at) + 1);
  if (cursor.indent > column) return blockNode(cursor, keys);
  return cursor.indent === column && isDash(cursor, cursor.at) ? sequence(cursor, keys, column) : null;
}

/** The sequence whose first dash stands at the current place, in `column`. */
function sequence(cursor: UsualCursor, keys: KeyReader, column: number): unknown[] {
  const items: unknown[] = [];
  if (++cursor.depth > deepest) giveUp(cursor);
  while (cursor.indent === column && isDash(cursor, cursor.at)) {
    items.push(
      cursor.items !== undefined && cursor.depth === listDepth
        ? knownItem(cursor, keys, column)
        : item(cursor, keys, column),
    );
  }
  cursor.depth -= 1;
  return items;
}

/** The items of a List stand in a field of the document's mapping. */
const listDepth = 2;

/**
 * The item from the last reading, if its text is the same: its lines are up to the next dash in the column, and each of them
 * is deeper. What stands behind does not change it.
 */
function knownItem(cursor: UsualCursor, keys: KeyReader, column: number): unknown {
  const { text, end, at: from, items } = cursor;
  const start = from - column;
  const next = text.indexOf(`\n${' '.repeat(column)}-`, from) + 1;
  const known = next > 0 && next < end ? items?.itemOf(text.slice(start, next)) : undefined;
  if (known !== undefined && known.column === column && isDash(cursor, next + column)) {
    cursor.at = next + column;
    cursor.indent = column;
    cursor.isAfterComment = known.isAfterComment;
    items?.keepItem(text.slice(start, next), known);
    return known.value;
  }
  const value = item(cursor, keys, column);
  const { isUnusual, indent, at, isAfterComment } = cursor;
  if (!isUnusual && indent === column && isDash(cursor, at))
    items?.keepItem(text.slice(start, at - column), { column, value, isAfterComment });
  return value;
}

/** What stands behind a dash in `column`. */
function item(cursor: UsualCursor, keys: KeyReader, column: number): unknown {
  const at = skipSpaces(cursor, cursor.at + 1);
  if (!isInline(cursor, at)) {
    toLine(cursor, lineEnd(cursor, at) + 1);
    return cursor.indent > column ? blockNode(cursor, keys) : null;
  }
  const inner = column + at - cursor.at;
  if (isDash(cursor, at)) {
    cursor.at = at;
    cursor.indent = inner;
    return sequence(cursor, keys, inner);
  }
  const key = keys(cursor, at);
  return key === undefined ? usualValue(cursor, at, column) : mapping(cursor, keys, inner, key);
}

function skipSpaces({ text }: UsualCursor, from: number): number {
  let at = from;
  while (text.charCodeAt(at) === space) at += 1;
  return at;
}

/** A value stands here, not the end of the line or a comment. */
function isInline({ text, end }: UsualCursor, at: number): boolean {
  if (at >= end) return false;
  const code = text.charCodeAt(at);
  // Behind a colon or a dash a blank stands before the comment.
  return code !== newline && code !== hash;
}
