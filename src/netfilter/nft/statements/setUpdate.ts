import type { SetUpdateStatement } from '../ast.ts';
import { formatDuration, formatSeconds, parseDuration } from '../duration.ts';
import { asNumber, asRecord, asText, only } from '../jsonValue.ts';
import { readSelector, writeSelector } from '../selector.ts';
import { selectorFromJson } from '../selectorFromJson.ts';
import { setUpdateMeaning } from '../statementMeaning.ts';
import type { StatementSyntax } from '../statementSyntax.ts';
import { accept, takeWord } from '../tokenizer.ts';

const operations = ['add', 'update', 'delete'] as const;

/** `update @affinity { ip saddr timeout 1h }`: the packet fills the set. */
export const setUpdateStatement: StatementSyntax<SetUpdateStatement> = {
  starts: operations,
  read: (words) => {
    const operation = operationOf(takeWord(words));
    const name = takeWord(words);
    const key = name?.startsWith('@') && accept(words, '{') ? readSelector(words) : undefined;
    if (operation === undefined || name === undefined || key === undefined) {
      return undefined;
    }
    const update = { kind: 'setUpdate', operation, set: name.slice(1), key } as const;
    const timeout = accept(words, 'timeout') ? parseDuration(takeWord(words) ?? '') : undefined;
    if (!accept(words, '}')) {
      return undefined;
    }
    return timeout === undefined ? update : { ...update, timeout };
  },
  write: ({ operation, set, key, timeout }, spelling) => {
    const duration = spelling === 'transaction' ? formatSeconds : formatDuration;
    const life = timeout === undefined ? '' : ` timeout ${duration(timeout)}`;
    return `${operation} @${set} { ${writeSelector(key, spelling)}${life} }`;
  },
  jsonNames: ['set'],
  fromJson: (body) => {
    const record = asRecord(body) ?? {};
    const operation = operationOf(record.op);
    const name = asText(record.set);
    const [kind, element] = only(record.elem) ?? [];
    const details = kind === 'elem' ? asRecord(element) : undefined;
    const key = selectorFromJson(details === undefined ? record.elem : details.val);
    if (operation === undefined || name === undefined || key === undefined) {
      return undefined;
    }
    const update = { kind: 'setUpdate', operation, set: name.slice(1), key } as const;
    const timeout = asNumber(details?.timeout);
    return timeout === undefined ? update : { ...update, timeout: timeout * 1000 };
  },
  evaluate: setUpdateMeaning,
};

function operationOf(value: unknown): SetUpdateStatement['operation'] | undefined {
  return operations.find((operation) => operation === value);
}
