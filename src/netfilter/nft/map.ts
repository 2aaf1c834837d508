import type { MapOperand, NftSpelling } from './ast.ts';
import { elementFromJson, readElements, writeElement } from './element.ts';
import { only } from './read/jsonValue.ts';
import type { Tokens } from './read/tokenizer.ts';

/** The map of a rule, `@service-ips` or `{ 0 : goto a, 1 : goto b }`; undefined if none can be read. */
export function readMap(words: Tokens): MapOperand | undefined {
  const next = words.words[words.at];
  if (next?.startsWith('@')) {
    words.at += 1;
    return { kind: 'namedMap', name: next.slice(1) };
  }
  const elements = readElements(words);
  return elements === undefined ? undefined : { kind: 'anonymousMap', elements };
}

export function writeMap(map: MapOperand, types: readonly string[], spelling: NftSpelling): string {
  if (map.kind === 'namedMap') {
    return `@${map.name}`;
  }
  const elements = map.elements.map((element) => writeElement(element, spelling, types));
  return `{ ${elements.join(spelling === 'transaction' ? ' , ' : ', ')} }`;
}

export function mapFromJson(
  data: unknown,
  types: readonly string[],
  valueTypes: readonly string[],
): MapOperand | undefined {
  if (typeof data === 'string' && data.startsWith('@')) {
    return { kind: 'namedMap', name: data.slice(1) };
  }
  const [kind, pairs] = only(data) ?? [];
  if (kind !== 'set' || !Array.isArray(pairs)) {
    return undefined;
  }
  const elements = pairs.map((pair) => elementFromJson(pair, types, valueTypes));
  return elements.every((element) => element !== undefined) ? { kind: 'anonymousMap', elements } : undefined;
}
