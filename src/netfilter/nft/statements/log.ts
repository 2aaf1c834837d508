import type { LogStatement } from '../ast.ts';
import { asNumber, asRecord, asText, defined } from '../read/jsonValue.ts';
import type { StatementSyntax } from '../read/statementSyntax.ts';
import { accept, takeNumber, takeWord } from '../read/tokenizer.ts';
import { quoted } from '../write/quoted.ts';

/** `log prefix "x " group 100`. */
export const logStatement: StatementSyntax<LogStatement> = {
  starts: ['log'],
  read: (words) => {
    words.at += 1;
    let statement: LogStatement = { kind: 'log' };
    for (;;) {
      if (accept(words, 'prefix')) {
        statement = { ...statement, prefix: takeWord(words) ?? '' };
      } else if (accept(words, 'group')) {
        statement = { ...statement, group: takeNumber(words) ?? 0 };
      } else if (accept(words, 'snaplen')) {
        statement = { ...statement, snaplen: takeNumber(words) ?? 0 };
      } else if (accept(words, 'queue-threshold')) {
        statement = { ...statement, queueThreshold: takeNumber(words) ?? 0 };
      } else if (accept(words, 'level')) {
        statement = { ...statement, level: takeWord(words) ?? '' };
      } else {
        return words.words[words.at] === 'flags' ? undefined : statement;
      }
    }
  },
  write: ({ prefix, group, snaplen, queueThreshold, level }) => {
    let text = 'log';
    text += prefix === undefined ? '' : ` prefix ${quoted(prefix)}`;
    text += group === undefined ? '' : ` group ${group}`;
    text += snaplen === undefined ? '' : ` snaplen ${snaplen}`;
    text += queueThreshold === undefined ? '' : ` queue-threshold ${queueThreshold}`;
    text += level === undefined ? '' : ` level ${level}`;
    return text;
  },
  jsonNames: ['log'],
  fromJson: (body) => {
    const record = asRecord(body) ?? {};
    if ('flags' in record) {
      return undefined;
    }
    return {
      kind: 'log',
      ...defined({
        prefix: asText(record.prefix),
        group: asNumber(record.group),
        snaplen: asNumber(record.snaplen),
        queueThreshold: asNumber(record['queue-threshold']),
        level: asText(record.level),
      }),
    };
  },
  evaluate: () => [{ kind: 'note', text: 'log' }],
};
