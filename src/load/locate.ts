import type { JsonPath, Origin } from '../diagnostics/diagnostic.ts';
import type { Locate, Place } from '../diagnostics/place.ts';
import { printPath } from '../diagnostics/printPath.ts';
import { type Finder, type FoundSpan, jsonFinder } from './json/jsonFinder.ts';
import { readShownObjects } from './kubectl/shown/readShownObjects.ts';
import type { SourceFormat, Sources } from './sources.ts';
import { yamlFinder } from './yaml/yamlFinder.ts';
import type { YamlPackage } from './yaml/yamlPackage.ts';

/**
 * Makes the function that finds lines and columns for `origins`. Texts are read again and only the documents in
 * question are parsed, each once, when their first place is asked for. The YAML reader is loaded only if one of
 * `origins` needs it; others than these can be asked for as long as they do not.
 */
export async function createLocator(sources: Sources, origins: Iterable<Origin>): Promise<Locate> {
  let yaml: YamlPackage | undefined;
  for (const origin of origins) {
    if (origin.offset === undefined && sources.formatOf(origin.file) === 'yaml') yaml ??= await import('yaml');
  }
  const texts = new Map<string, LocatedText | undefined>();
  const items = new Map<string, LocatedText | undefined>();
  return (origin) => {
    const place = placeInItem(sources, origin, items);
    if (place !== undefined) return place;
    if (!texts.has(origin.file)) texts.set(origin.file, openText(sources, origin.file, yaml));
    const text = texts.get(origin.file);
    return text === undefined ? undefined : placeOf(text, origin);
  };
}

/** In a long List the item alone is read, where that is enough. */
function placeInItem(sources: Sources, origin: Origin, items: Map<string, LocatedText | undefined>): Place | undefined {
  const [list, item, ...path] = origin.path;
  const { file, document, offset } = origin;
  if (list !== 'items' || typeof item !== 'number' || document !== 0 || offset !== undefined) return undefined;
  const key = `${item} ${file}`;
  if (!items.has(key)) {
    const found = sources.itemOf?.(file, item);
    items.set(key, found && { ...located(found.text, 'json', undefined), linesBefore: found.linesBefore });
  }
  const text = items.get(key);
  // Without a kind of its own an object has that of its list.
  if (text === undefined || text.textAt(0, ['kind']) === undefined) return undefined;
  return { ...placeOf(text, { ...origin, path }), pathText: printPath(origin.path) };
}

/** A text whose places are asked for. */
interface LocatedText {
  readonly text: string;
  readonly lineStarts: Uint32Array;
  /** Of a part of a file. */
  readonly linesBefore?: number;
  /** Lines, by their start, where characters and UTF-16 units are not the same. */
  readonly wideLines: Map<number, boolean>;
  readonly find: (document: number, path: JsonPath, part: 'key' | 'value') => FoundSpan;
  readonly textAt: (document: number, path: JsonPath) => string | undefined;
}

function openText(sources: Sources, file: string, yaml: YamlPackage | undefined): LocatedText | undefined {
  const text = sources.textOf(file);
  if (text === undefined) return undefined;
  return located(text, sources.formatOf(file), yaml);
}

function located(text: string, format: SourceFormat, yaml: YamlPackage | undefined): LocatedText {
  return { text, lineStarts: lineStartsOf(text), wideLines: new Map(), ...finderOf(format, text, yaml) };
}

/** As bytes: a list of 50 MB has more than two million lines. */
function lineStartsOf(text: string): Uint32Array {
  let starts = new Uint32Array(1 << 10);
  let count = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    if (count === starts.length) {
      const longer = new Uint32Array(2 * count);
      longer.set(starts);
      starts = longer;
    }
    starts[count] = at + 1;
    count += 1;
  }
  return starts.subarray(0, count);
}

function finderOf(format: SourceFormat, text: string, yaml: YamlPackage | undefined): Finder {
  if (format === 'json') return jsonFinder(text);
  if (format === 'table') return tableFinder(text);
  return format === 'yaml' && yaml !== undefined ? yamlFinder(yaml, text) : noFinder;
}

/** The line of a table stands for all of its object. */
function tableFinder(text: string): Finder {
  const { objects } = readShownObjects(text);
  return {
    find: (document) => ({ start: objects[document]?.start ?? 0 }),
    textAt: (document, path) => {
      let at: unknown = objects[document]?.value;
      for (const step of path) at = (at as Readonly<Record<string, unknown>> | undefined)?.[step];
      return typeof at === 'string' ? at : undefined;
    },
  };
}

const noFinder = {
  find: (): FoundSpan => ({ start: 0 }),
  textAt: (): undefined => undefined,
};

function placeOf(located: LocatedText, origin: Origin): Place {
  const { text, lineStarts } = located;
  const { document, path, part = 'value' } = origin;
  const span = origin.offset === undefined ? located.find(document, path, part) : wordAt(text, origin.offset);
  const start = Math.max(0, Math.min(span.start, text.length));
  const line = lineOf(lineStarts, start);
  const lineStart = lineStarts[line] as number;
  const nextStart = lineStarts[line + 1];
  let lineEnd = nextStart === undefined ? text.length : nextStart - 1;
  if (lineEnd > lineStart && text[lineEnd - 1] === '\r') lineEnd -= 1;
  const column = columnOf(located, lineStart, lineEnd, start);
  const end = span.end === undefined ? undefined : Math.min(span.end, lineEnd);
  const object = objectText(located, document, path);
  return {
    line: (located.linesBefore ?? 0) + line + 1,
    column,
    ...(end === undefined || end <= start ? {} : { endColumn: columnOf(located, lineStart, lineEnd, end) }),
    lineText: text.slice(lineStart, lineEnd),
    index: start - lineStart,
    pathText: printPath(path),
    ...(object === undefined ? {} : { object }),
  };
}

/** What stands at an offset, as far as it is one word. */
function wordAt(text: string, start: number): FoundSpan {
  const word = /^[*&!]{0,2}[\w.-]+/.exec(text.slice(start, start + longestWord));
  return word === null ? { start } : { start, end: start + word[0].length };
}

const longestWord = 64;

/** The line that an offset stands in, by halving. */
function lineOf(lineStarts: Uint32Array, offset: number): number {
  let low = 0;
  let high = lineStarts.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((lineStarts[middle] as number) <= offset) low = middle;
    else high = middle;
  }
  return low;
}

/** Counts characters, and only in lines that have any beyond UTF-16: compact JSON may be one line of many megabytes. */
function columnOf(located: LocatedText, lineStart: number, lineEnd: number, offset: number): number {
  let isWide = located.wideLines.get(lineStart);
  if (isWide === undefined) {
    isWide = /[\ud800-\udbff]/.test(located.text.slice(lineStart, lineEnd));
    located.wideLines.set(lineStart, isWide);
  }
  if (!isWide) return offset - lineStart + 1;
  return Array.from(located.text.slice(lineStart, offset)).length + 1;
}

/** `Service shop/a`: the object that a path is in. */
function objectText({ textAt }: LocatedText, document: number, path: JsonPath): string | undefined {
  let depth = 0;
  while (path[depth] === 'items' && typeof path[depth + 1] === 'number') depth += 2;
  const object = path.slice(0, depth);
  const listKind = depth === 0 ? undefined : textAt(document, [...path.slice(0, depth - 2), 'kind']);
  const kind = textAt(document, [...object, 'kind']) ?? listKind?.replace(/List$/, '');
  const name = textAt(document, [...object, 'metadata', 'name']);
  if (kind === undefined || name === undefined) return undefined;
  const namespace = textAt(document, [...object, 'metadata', 'namespace']);
  return namespace === undefined ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}
