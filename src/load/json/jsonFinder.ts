import type { JsonPath } from '../../diagnostics/diagnostic.ts';
import { type JsonChild, type JsonValue, jsonChildren, jsonGrandchildren, jsonValues } from './jsonIndex.ts';

/** Offsets in a text; `end` only of what is worth underlining. */
export interface FoundSpan {
  readonly start: number;
  readonly end?: number;
}

/** Finds values of documents by path. */
export interface Finder {
  /** A path that does not exist stands for its nearest existing parent. */
  readonly find: (document: number, path: JsonPath, part: 'key' | 'value') => FoundSpan;
  /** The text that stands at a path, if it is a short one. */
  readonly textAt: (document: number, path: JsonPath) => string | undefined;
}

/**
 * Finds places in JSON. Results are remembered: a list of 90 MB is scanned once for the places of its items. The
 * content of an item is searched only on demand: few items of a long list are needed.
 */
export function jsonFinder(text: string): Finder {
  let values: readonly JsonValue[] | undefined;
  const known = new Map<number, readonly JsonChild[]>();
  const childrenAt = (start: number): readonly JsonChild[] => {
    let children = known.get(start);
    if (children === undefined) {
      children = jsonChildren(text, start);
      known.set(start, children);
    }
    return children;
  };
  const childrenOf = (document: JsonValue): readonly JsonChild[] => {
    if (!known.has(document.start)) {
      const { children, lists } = jsonGrandchildren(text, document.start);
      known.set(document.start, children);
      for (const [start, items] of lists) known.set(start, items);
    }
    return childrenAt(document.start);
  };
  const documentAt = (document: number): JsonValue => {
    // Nearly always there is one, and where it ends does not matter.
    if (document === 0) return { start: text.search(/[^ \t\r\n]|$/), end: text.length };
    values ??= jsonValues(text);
    return values[document] ?? { start: 0, end: 0 };
  };
  const walk = (document: number, path: JsonPath): Walked => {
    let at = documentAt(document);
    for (const [depth, step] of path.entries()) {
      const children = depth === 0 ? childrenOf(at) : childrenAt(at.start);
      const child = typeof step === 'number' ? children[step] : children.findLast(({ key }) => key === step);
      if (child === undefined) return { value: at, isWhole: false };
      if (depth === path.length - 1) return { value: child, child, isWhole: true };
      at = child;
    }
    return { value: at, isWhole: true };
  };
  return {
    find: (document, path, part) => {
      const { value, child, isWhole } = walk(document, path);
      if (part === 'key' && isWhole && child?.keyStart !== undefined) {
        return { start: child.keyStart, end: child.keyEnd as number };
      }
      const isCollection = text[value.start] === '{' || text[value.start] === '[';
      return isCollection ? { start: value.start } : { start: value.start, end: value.end };
    },
    textAt: (document, path) => {
      const { value, isWhole } = walk(document, path);
      if (!isWhole || text[value.start] !== '"' || value.end - value.start > longestText) return undefined;
      try {
        return String(JSON.parse(text.slice(value.start, value.end)));
      } catch {
        return undefined;
      }
    },
  };
}

interface Walked {
  readonly value: JsonValue;
  readonly child?: JsonChild;
  readonly isWhole: boolean;
}

/** Names and kinds are shorter. */
const longestText = 600;
