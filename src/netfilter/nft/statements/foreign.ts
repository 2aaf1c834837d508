import type { ForeignStatement } from '../ast.ts';
import { foreignMeaning } from '../meaning/statementMeaning.ts';
import type { StatementSyntax } from '../read/statementSyntax.ts';

/**
 * What no other entry reads. `xt match recent` is what nft shows of an iptables match or target: three words without
 * its arguments; quotas and numbers of connections are limits. Anything else has no known end, so it takes the rest of the rule.
 */
export const foreignStatement: StatementSyntax<ForeignStatement> = {
  starts: undefined,
  read: (words) => {
    const rest = words.words.slice(words.at);
    const taken = rest.slice(0, ownLength(rest));
    words.at += taken.length;
    return { kind: 'foreign', text: taken.join(' ').replaceAll(' ,', ',') };
  },
  write: ({ text }) => text,
  jsonNames: [],
  fromJson: (body, name) => ({ kind: 'foreign', text: xtText(body) ?? JSON.stringify({ [name]: body }) }),
  evaluate: ({ text }) => [foreignMeaning(text)],
};

/** How many words are its own. */
function ownLength(rest: readonly string[]): number {
  if (rest[0] === 'xt' && rest.length >= 3) return 3;
  if (!endsByItself.has(rest[0] ?? '')) return rest.length;
  const own = known.exec(rest.join(' '));
  return own === null ? rest.length : own[0].split(' ').length;
}

const endsByItself = new Set(['ct', 'quota', 'counter', 'limit', 'flow', 'last', 'reset']);
const known = new RegExp(
  `^(?:${[
    'ct count (?:over )?\\d+',
    'quota (?:over |until )?\\d+ [kmg]?bytes(?: used \\d+ [kmg]?bytes)?',
    '(?:counter|limit|quota) name \\S+',
    'flow (?:add|offload) @\\S+',
    'last(?: used (?:never|\\S+))?',
    'reset tcp option \\S+',
  ].join('|')})(?= |$)`,
);

function xtText(body: unknown): string | undefined {
  const { type, name } = { ...(body as { type?: unknown; name?: unknown } | null) };
  return typeof type === 'string' && typeof name === 'string' ? `xt ${type} ${name}` : undefined;
}
