import type { LimitStatement } from '../ast.ts';
import { limitMeaning } from '../meaning/statementMeaning.ts';
import { asNumber, asRecord, asText, defined } from '../read/jsonValue.ts';
import type { StatementSyntax } from '../read/statementSyntax.ts';
import { accept, takeNumber, takeWord } from '../read/tokenizer.ts';

/** `limit rate over 10/second burst 7 packets`, `limit rate 10 kbytes/second`. */
export const limitStatement: StatementSyntax<LimitStatement> = {
  starts: ['limit'],
  read: (words) => {
    words.at += 1;
    if (!accept(words, 'rate')) {
      return undefined;
    }
    const isOver = accept(words, 'over');
    const first = takeWord(words) ?? '';
    const parts = /^(\d+)(?:\/([a-z]+))?$/.exec(first);
    const unitAndPer = parts !== null && parts[2] === undefined ? (takeWord(words) ?? '').split('/') : [];
    const per = parts?.[2] ?? unitAndPer[1];
    if (parts === null || per === undefined) {
      return undefined;
    }
    const burst = accept(words, 'burst') ? takeNumber(words) : undefined;
    const burstUnit = burst === undefined ? undefined : takeWord(words);
    return {
      kind: 'limit',
      isOver,
      rate: Number(parts[1]),
      per,
      ...defined({ unit: unitAndPer[0], burst, burstUnit }),
    };
  },
  write: ({ isOver, rate, unit, per, burst, burstUnit }) => {
    const amount = unit === undefined ? `${rate}/${per}` : `${rate} ${unit}/${per}`;
    const most = burst === undefined ? '' : ` burst ${burst} ${burstUnit ?? 'packets'}`;
    return `limit rate ${isOver ? 'over ' : ''}${amount}${most}`;
  },
  jsonNames: ['limit'],
  fromJson: (body) => {
    const record = asRecord(body) ?? {};
    const rate = asNumber(record.rate);
    const per = asText(record.per);
    const burst = asNumber(record.burst);
    const unit = asText(record.rate_unit);
    if (rate === undefined || per === undefined) {
      return undefined;
    }
    // The text leaves nft's own defaults out.
    const isDefault = burst === undefined || burst === (unit === undefined ? 5 : 0);
    const given = isDefault ? {} : { burst, burstUnit: asText(record.burst_unit) ?? 'packets' };
    return { kind: 'limit', isOver: record.inv === true, rate, per, ...defined({ unit }), ...given };
  },
  evaluate: (statement) => [limitMeaning(statement)],
};
