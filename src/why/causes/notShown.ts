import { firstFew } from '../../common/text/firstFew.ts';
import type { Evidence } from '../../diagnostics/problem.ts';
import { commands } from '../../problems/catalogue/commands.ts';
import { sharePercent } from '../../trace/show/sharePercent.ts';
import { type Fraction, fraction, plus } from '../../walk/values/fraction.ts';
import type { CauseDraft } from '../cause.ts';
import type { WhyQuestion } from '../whyQuestion.ts';

/** Some connections go to chains that a fragment does not show: these may do anything. */
export function notShown({ result: { outcomes } }: WhyQuestion, evidence: readonly Evidence[]): CauseDraft {
  const chains = new Set<string>();
  let share: Fraction | undefined = fraction(0, 1);
  for (const { first, share: own } of outcomes) {
    if (first.end.kind !== 'unknown' || first.end.unseen === undefined) continue;
    const { chain, isBegun } = first.end.unseen;
    chains.add(isBegun ? `the end of ${chain}` : chain);
    share = share && own && plus(share, own);
  }
  const isAll = share !== undefined && share.num === share.den;
  const what = isAll
    ? 'The packet goes to'
    : share === undefined
      ? 'Some connections go to'
      : `${sharePercent(share)} of the connections go to`;
  return {
    code: 'not-shown',
    what: `${what} ${firstFew([...chains], mostShown)}, which the dump does not show: what happens there is unknown.`,
    evidence,
    fix: commands.wholeDump,
    isUnknown: true,
  };
}

const mostShown = 3;
