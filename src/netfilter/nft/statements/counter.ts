import type { CounterStatement } from '../ast.ts';
import { asNumber, asRecord, defined } from '../read/jsonValue.ts';
import type { StatementSyntax } from '../read/statementSyntax.ts';
import { accept, takeNumber } from '../read/tokenizer.ts';

/** `counter packets 10 bytes 600`, or bare where the numbers do not matter. */
export const counterStatement: StatementSyntax<CounterStatement> = {
  starts: ['counter'],
  read: (words) => {
    if (!accept(words, 'counter')) {
      return undefined;
    }
    if (words.words[words.at] === 'name') {
      return undefined;
    }
    if (!accept(words, 'packets')) {
      return { kind: 'counter' };
    }
    const packets = takeNumber(words);
    const bytes = accept(words, 'bytes') ? takeNumber(words) : undefined;
    return packets === undefined || bytes === undefined ? undefined : { kind: 'counter', packets, bytes };
  },
  write: ({ packets, bytes }) => (packets === undefined ? 'counter' : `counter packets ${packets} bytes ${bytes ?? 0}`),
  jsonNames: ['counter'],
  fromJson: (body) => {
    const record = asRecord(body) ?? {};
    return { kind: 'counter', ...defined({ packets: asNumber(record.packets), bytes: asNumber(record.bytes) }) };
  },
  evaluate: () => [],
};
