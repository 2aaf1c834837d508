import type { ForeignStatement } from '../ast.ts';
import { foreignMeaning } from '../statementMeaning.ts';
import type { StatementSyntax } from '../statementSyntax.ts';

/**
 * What no other entry reads. `xt match recent` is what nft shows of an iptables match or target: three words without
 * its arguments. Anything else has no known end, so it takes the rest of the rule.
 */
export const foreignStatement: StatementSyntax<ForeignStatement> = {
  starts: undefined,
  read: (words) => {
    const rest = words.words.slice(words.at);
    const taken = rest[0] === 'xt' && rest.length >= 3 ? rest.slice(0, 3) : rest;
    words.at += taken.length;
    return { kind: 'foreign', text: taken.join(' ').replaceAll(' ,', ',') };
  },
  write: ({ text }) => text,
  jsonNames: [],
  fromJson: (body, name) => ({ kind: 'foreign', text: xtText(body) ?? JSON.stringify({ [name]: body }) }),
  evaluate: ({ text }) => [foreignMeaning(text)],
};

function xtText(body: unknown): string | undefined {
  const { type, name } = { ...(body as { type?: unknown; name?: unknown } | null) };
  return typeof type === 'string' && typeof name === 'string' ? `xt ${type} ${name}` : undefined;
}
