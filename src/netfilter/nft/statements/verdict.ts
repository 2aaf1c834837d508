import type { VerdictStatement } from '../ast.ts';
import { verdictMeaning } from '../meaning/statementMeaning.ts';
import type { StatementSyntax } from '../read/statementSyntax.ts';
import { readVerdict, verdictFromJson, writeVerdict } from '../verdict.ts';

const names = ['accept', 'drop', 'return', 'continue', 'jump', 'goto'];

/** `accept`, `jump services`. */
export const verdictStatement: StatementSyntax<VerdictStatement> = {
  starts: names,
  read: (words) => {
    const verdict = readVerdict(words);
    return verdict === undefined ? undefined : { kind: 'verdict', verdict };
  },
  write: ({ verdict }) => writeVerdict(verdict),
  jsonNames: names,
  fromJson: (body, name) => {
    const verdict = verdictFromJson({ [name]: body });
    return verdict === undefined ? undefined : { kind: 'verdict', verdict };
  },
  evaluate: ({ verdict }) => [verdictMeaning(verdict)],
};
