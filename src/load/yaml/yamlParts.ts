import type { JsonPath } from '../../diagnostics/diagnostic.ts';
import { type DocumentRange, splitDocuments } from './splitDocuments.ts';
import { type YamlItems, yamlItems } from './yamlItems.ts';

/** A piece of a text that is YAML by itself. */
export interface YamlPart {
  readonly name: string;
  readonly source: () => string;
  /** The path that was asked for, from the top of the piece. */
  readonly path: JsonPath;
  /** Where in the whole text an offset of the piece lies. */
  readonly place: (offset: number) => number;
}

/**
 * Gives the piece of a text that a path lies in: its document; of a long List the item, or the List with nothing but its
 * first item.
 */
export function yamlParts(text: string): (document: number, path: JsonPath) => YamlPart {
  let ranges: readonly DocumentRange[] | undefined;
  const lists = new Map<number, YamlItems | undefined>();
  return (document, path) => {
    ranges ??= splitDocuments(text);
    const range = ranges[document] ?? { start: 0, end: 0 };
    if (!lists.has(document)) lists.set(document, yamlItems(text, range));
    const items = lists.get(document);
    if (items === undefined) return wholeDocument(text, document, path, range);
    const at = path[0] === 'items' && typeof path[1] === 'number' ? path[1] : -1;
    const start = items.starts[at];
    if (start === undefined) return outerList(text, document, path, range, items);
    const end = items.starts[at + 1] ?? items.end;
    const isEmpty = /^-\s*(?:#.*\s*)*$/.test(text.slice(start, end));
    return isEmpty ? wholeDocument(text, document, path, range) : listItem(text, document, path, start, end);
  };
}

function wholeDocument(text: string, document: number, path: JsonPath, { start, end }: DocumentRange): YamlPart {
  return { name: `${document} whole`, source: () => text.slice(start, end), path, place: (offset) => start + offset };
}

/** The dash becomes a blank, so that columns stay. */
function listItem(text: string, document: number, path: JsonPath, start: number, end: number): YamlPart {
  const line = text.lastIndexOf('\n', start) + 1;
  return {
    name: `${document} ${start}`,
    source: () => `${' '.repeat(start - line + 1)}${text.slice(start + 1, end)}`,
    path: path.slice(2),
    place: (offset) => line + offset,
  };
}

function outerList(text: string, document: number, path: JsonPath, range: DocumentRange, items: YamlItems): YamlPart {
  const second = items.starts[1] ?? items.end;
  const cut = second === items.end ? second : text.lastIndexOf('\n', second) + 1;
  const left = cut - range.start;
  return {
    name: `${document}`,
    source: () => text.slice(range.start, cut) + text.slice(items.end, range.end),
    path,
    place: (offset) => (offset < left ? range.start + offset : offset - left + items.end),
  };
}
