import type { VmapStatement } from '../ast.ts';
import { mapFromJson, readMap, writeMap } from '../map.ts';
import { vmapMeaning } from '../meaning/statementMeaning.ts';
import { asRecord } from '../read/jsonValue.ts';
import { selectorFromJson } from '../read/selectorFromJson.ts';
import type { StatementSyntax } from '../read/statementSyntax.ts';
import { accept } from '../read/tokenizer.ts';
import { readSelector, selectorTypes, writeSelector } from '../selector.ts';

/** `ip daddr . meta l4proto . th dport vmap @service-ips`, `numgen random mod 2 vmap { 0 : goto a, 1 : goto b }`. */
export const vmapStatement: StatementSyntax<VmapStatement> = {
  starts: undefined,
  read: (words) => {
    const key = readSelector(words);
    const map = key !== undefined && accept(words, 'vmap') ? readMap(words) : undefined;
    return key === undefined || map === undefined ? undefined : { kind: 'vmap', key, map };
  },
  write: ({ key, map }, spelling) =>
    `${writeSelector(key, spelling)} vmap ${writeMap(map, selectorTypes(key), spelling)}`,
  jsonNames: ['vmap'],
  fromJson: (body) => {
    const record = asRecord(body) ?? {};
    const key = selectorFromJson(record.key);
    const map = key === undefined ? undefined : mapFromJson(record.data, selectorTypes(key), ['verdict']);
    return key === undefined || map === undefined ? undefined : { kind: 'vmap', key, map };
  },
  evaluate: vmapMeaning,
};
