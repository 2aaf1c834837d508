import type { Spelling, VmapStatement } from '../ast.ts';
import { elementFromJson, readElements, writeElement } from '../element.ts';
import { asRecord, only } from '../jsonValue.ts';
import { readSelector, selectorTypes, writeSelector } from '../selector.ts';
import { selectorFromJson } from '../selectorFromJson.ts';
import type { StatementSyntax } from '../statementSyntax.ts';
import { accept } from '../words.ts';

/** `ip daddr . meta l4proto . th dport vmap @service-ips`, `numgen random mod 2 vmap { 0 : goto a, 1 : goto b }`. */
export const vmapStatement: StatementSyntax<VmapStatement> = {
  starts: undefined,
  read: (words) => {
    const key = readSelector(words);
    if (key === undefined || !accept(words, 'vmap')) {
      return undefined;
    }
    const next = words.words[words.at];
    if (next?.startsWith('@')) {
      words.at += 1;
      return { kind: 'vmap', key, map: { kind: 'namedMap', name: next.slice(1) } };
    }
    const elements = readElements(words);
    return elements === undefined ? undefined : { kind: 'vmap', key, map: { kind: 'anonymousMap', elements } };
  },
  write: ({ key, map }, spelling) =>
    `${writeSelector(key, spelling)} vmap ${writeMap(map, selectorTypes(key), spelling)}`,
  jsonNames: ['vmap'],
  fromJson: (body) => {
    const record = asRecord(body) ?? {};
    const key = selectorFromJson(record.key);
    const data = record.data;
    if (key === undefined) {
      return undefined;
    }
    if (typeof data === 'string' && data.startsWith('@')) {
      return { kind: 'vmap', key, map: { kind: 'namedMap', name: data.slice(1) } };
    }
    const [kind, pairs] = only(data) ?? [];
    if (kind !== 'set' || !Array.isArray(pairs)) {
      return undefined;
    }
    const types = selectorTypes(key);
    const elements = pairs.map((pair) => elementFromJson(pair, types, ['verdict']));
    return elements.every((element) => element !== undefined)
      ? { kind: 'vmap', key, map: { kind: 'anonymousMap', elements } }
      : undefined;
  },
};

function writeMap(map: VmapStatement['map'], types: readonly string[], spelling: Spelling): string {
  if (map.kind === 'namedMap') {
    return `@${map.name}`;
  }
  const elements = map.elements.map((element) => writeElement(element, spelling, types));
  return `{ ${elements.join(spelling === 'transaction' ? ' , ' : ', ')} }`;
}
