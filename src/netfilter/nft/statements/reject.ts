import type { Condition } from '../../meaning.ts';
import type { RejectStatement } from '../ast.ts';
import { rejectMeaning } from '../meaning/statementMeaning.ts';
import { asRecord, asText } from '../read/jsonValue.ts';
import type { StatementSyntax } from '../read/statementSyntax.ts';
import { accept, takeWord } from '../read/tokenizer.ts';

const isTcp: Condition = { kind: 'values', field: 'protocol', ranges: [{ first: 6, last: 6 }] };
const plain: RejectStatement = { kind: 'reject' };

/** `reject`, `reject with tcp reset`, `reject with icmp host-unreachable`. */
export const rejectStatement: StatementSyntax<RejectStatement> = {
  starts: ['reject'],
  read: (words) => {
    words.at += 1;
    if (!accept(words, 'with')) {
      return plain;
    }
    const protocol = takeWord(words);
    // nft before 0.9.9 prints `icmp type …`.
    accept(words, 'type');
    const code = takeWord(words);
    return protocol === undefined || code === undefined ? undefined : { kind: 'reject', with: `${protocol} ${code}` };
  },
  write: (statement) => (statement.with === undefined ? 'reject' : `reject with ${statement.with}`),
  jsonNames: ['reject'],
  fromJson: (body) => {
    const record = asRecord(body) ?? {};
    const type = asText(record.type);
    const code = asText(record.expr);
    if (type === undefined || code === 'port-unreachable') {
      return plain;
    }
    return { kind: 'reject', with: code === undefined ? type : `${type} ${code}` };
  },
  // A reset answers TCP only; nft does not show that it asks.
  evaluate: (statement) =>
    statement.with === 'tcp reset'
      ? [{ kind: 'ask', condition: isTcp }, rejectMeaning(statement)]
      : [rejectMeaning(statement)],
};
