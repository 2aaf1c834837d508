import type { ElementStatement, NftSpelling, SetUpdateStatement } from '../ast.ts';
import { setUpdateMeaning } from '../meaning/statementMeaning.ts';
import { asNumber, asRecord, asText, defined, only } from '../read/jsonValue.ts';
import { selectorFromJson } from '../read/selectorFromJson.ts';
import type { StatementSyntax } from '../read/statementSyntax.ts';
import { accept, type Tokens, takeWord } from '../read/tokenizer.ts';
import { readSelector, writeSelector } from '../selector.ts';
import { formatDuration, formatSeconds, parseDuration } from '../values/duration.ts';
import { counterStatement } from './counter.ts';
import { foreignStatement } from './foreign.ts';
import { limitStatement } from './limit.ts';

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
    const timeout = accept(words, 'timeout') ? parseDuration(takeWord(words) ?? '') : undefined;
    // What runs out when is a matter of each element; a rule that says so sets it.
    const statements = readElementStatements(words);
    const value = accept(words, ':') ? readSelector(words) : undefined;
    if (!accept(words, '}')) {
      return undefined;
    }
    return {
      kind: 'setUpdate',
      operation,
      set: name.slice(1),
      key,
      ...defined({ timeout, value }),
      ...(statements.length > 0 && { statements }),
    };
  },
  write: ({ operation, set, key, timeout, statements = [], value }, spelling) => {
    const duration = spelling === 'transaction' ? formatSeconds : formatDuration;
    const life = timeout === undefined ? '' : ` timeout ${duration(timeout)}`;
    const own = statements.map((statement) => ` ${writeElementStatement(statement, spelling)}`).join('');
    const to = value === undefined ? '' : ` : ${writeSelector(value, spelling)}`;
    return `${operation} @${set} { ${writeSelector(key, spelling)}${life}${own}${to} }`;
  },
  jsonNames: ['set', 'map'],
  fromJson: (body, member) => {
    const record = asRecord(body) ?? {};
    const operation = operationOf(record.op);
    const name = asText(record[member]);
    const value = selectorFromJson(record.data);
    const [kind, element] = only(record.elem) ?? [];
    const details = kind === 'elem' ? asRecord(element) : undefined;
    const key = selectorFromJson(details === undefined ? record.elem : details.val);
    if (operation === undefined || name === undefined || key === undefined) {
      return undefined;
    }
    const seconds = asNumber(details?.timeout);
    const statements = statementsFromJson(record.stmt);
    return {
      kind: 'setUpdate',
      operation,
      set: name.slice(1),
      key,
      ...defined({ timeout: seconds === undefined ? undefined : seconds * 1000, value }),
      ...(statements.length > 0 && { statements }),
    };
  },
  evaluate: setUpdateMeaning,
};

function readElementStatements(words: Tokens): readonly ElementStatement[] {
  const statements: ElementStatement[] = [];
  for (;;) {
    const start = words.at;
    const next = words.words[start];
    const read =
      next === 'counter'
        ? counterStatement.read(words)
        : next === 'limit'
          ? limitStatement.read(words)
          : next === 'ct' || next === 'quota' || next === 'last'
            ? foreignStatement.read(words)
            : undefined;
    // A statement without an end of its own does not belong to an element.
    if (read === undefined || (read.kind === 'foreign' && /[{}]/.test(read.text))) {
      words.at = start;
      return statements;
    }
    statements.push(read);
  }
}

function writeElementStatement(statement: ElementStatement, spelling: NftSpelling): string {
  switch (statement.kind) {
    case 'counter':
      return counterStatement.write(statement, spelling);
    case 'limit':
      return limitStatement.write(statement, spelling);
    case 'foreign':
      return statement.text;
  }
}

function statementsFromJson(list: unknown): readonly ElementStatement[] {
  return (Array.isArray(list) ? list : []).flatMap((item): readonly ElementStatement[] => {
    const [name, body] = only(item) ?? [];
    const read =
      name === 'counter'
        ? counterStatement.fromJson(body, name)
        : name === 'limit'
          ? limitStatement.fromJson(body, name)
          : foreignStatement.fromJson(body, name ?? '');
    return read === undefined ? [] : [read];
  });
}

function operationOf(value: unknown): SetUpdateStatement['operation'] | undefined {
  return operations.find((operation) => operation === value);
}
