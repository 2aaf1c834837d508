import type { Statement } from '../ast.ts';
import type { StatementSyntax } from '../read/statementSyntax.ts';

/** `notrack`: the packet stays out of conntrack. */
export const notrackStatement: StatementSyntax<Extract<Statement, { kind: 'notrack' }>> = {
  starts: ['notrack'],
  read: (words) => {
    words.at += 1;
    return { kind: 'notrack' };
  },
  write: () => 'notrack',
  jsonNames: ['notrack'],
  fromJson: () => ({ kind: 'notrack' }),
  evaluate: () => [{ kind: 'notrack' }],
};
