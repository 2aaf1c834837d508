/** Narrow looks into parsed JSON of unknown shape; undefined where it is something else. */
export function asRecord(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
}

export function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

export function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** Name and body of an object with one member: nft's JSON tags everything so. */
export function only(value: unknown): readonly [string, unknown] | undefined {
  const entries = Object.entries(asRecord(value) ?? {});
  return entries.length === 1 ? entries[0] : undefined;
}

/** The fields that are defined: keeps absent ones absent. */
export function defined<T extends Readonly<Record<string, unknown>>>(
  fields: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
