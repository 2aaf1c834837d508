import { pairsOf } from '../pairsOf.ts';
import { shownText } from '../shown/shownText.ts';

/** What `kubectl describe` prints of one object, by its keys. */
export interface Description {
  /** The fields in their order, a key as often as it occurs. */
  readonly fields: readonly DescribedField[];
  /** What stands behind a key; undefined: nothing, or a word for nothing. */
  readonly first: (key: string) => string | undefined;
  /** A list with commas. */
  readonly list: (key: string) => readonly string[];
  /** A selector: `a=b`, one a line or with commas; undefined: none. */
  readonly pairs: (key: string) => Readonly<Record<string, string>> | undefined;
  /** Labels, which are known to be none where it says so. Undefined: there is no such key. */
  readonly labels: () => Readonly<Record<string, string>> | undefined;
  /** Annotations: `key: value` since 1.10, `key=value` before. */
  readonly annotations: () => Readonly<Record<string, string>> | undefined;
}

export interface DescribedField {
  readonly key: string;
  /** The one on its line, and those in the column below it. */
  readonly values: readonly string[];
  /** The lines that are indented below the key, as they are. */
  readonly block: readonly string[];
}

/** Takes the lines of one description apart. Unknown keys are fields too: who reads them knows which count. */
export function description(lines: readonly string[]): Description {
  const fields = fieldsOf(lines);
  const field = (key: string): DescribedField | undefined => fields.find((one) => one.key === key);
  const first = (key: string): string | undefined => shownText(field(key)?.values[0]);
  const pairs = (key: string) => {
    const values = (field(key)?.values ?? []).filter((value) => shownText(value) !== undefined);
    return values.length === 0 ? undefined : pairsOf(values.join(','));
  };
  return {
    fields,
    first,
    list: (key) => first(key)?.split(/, */) ?? [],
    pairs,
    labels: () => pairs('Labels') ?? (field('Labels') === undefined ? undefined : {}),
    annotations: () => annotationsOf(field('Annotations')?.values ?? []),
  };
}

/** Lines of a column to the right belong to the key above, as values; what is indented less is its block. */
function fieldsOf(lines: readonly string[]): readonly DescribedField[] {
  const fields: { key: string; values: string[]; block: string[] }[] = [];
  for (const line of lines) {
    const [, key = '', value = ''] = /^([A-Z][A-Za-z -]*):[ \t]*(.*)$/.exec(line) ?? [];
    const last = fields.at(-1);
    if (key !== '') fields.push({ key, values: [value], block: [] });
    else if (last !== undefined && /^[ \t]/.test(line)) {
      last.block.push(line);
      if (/^[ \t]{8,}\S/.test(line)) last.values.push(line.trim());
    }
  }
  return fields;
}

function annotationsOf(lines: readonly string[]): Readonly<Record<string, string>> | undefined {
  const entries: (readonly [string, string])[] = [];
  for (const line of lines) {
    const [, key, value] = /^([\w./-]+)(?:=|: ?)(.*)$/.exec(line) ?? [];
    if (key !== undefined && value !== undefined) entries.push([key, value]);
  }
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
