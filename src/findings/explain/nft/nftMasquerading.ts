import { escapeText } from '../../../common/text/escapeText.ts';
import { setsNamed } from '../../../netfilter/nft/setsNamed.ts';
import type { ExplainContext } from '../explainWith.ts';
import { lostRules } from '../lostRules.ts';
import type { RuleDifference } from '../ruleDifferences.ts';
import { isMarkOf, statementsOf } from './nftStatements.ts';

/**
 * Chains `mark-for-masquerade` and `masquerading`. Through 1.35 one of them sets the mark, and rules of the other test
 * it and clear it; since 1.36 one rule does both and masquerades, and another finds packets that a Pod sends to itself.
 */
export function explainNftMasquerading(context: ExplainContext): void {
  const { diff, items, say } = context;
  const own = escapeText(diff.chain);
  const hairpin = items.filter((item) =>
    statementsOf(item).some((one) => setsNamed(one).includes('hairpin-connections')),
  );
  const rest = items.filter((item) => !hairpin.includes(item));
  if (hairpin.length > 0) say('K8N403', hairpin, { what: `${own} does not masquerade what a Pod sends itself` });
  if (rest.some((item) => isMark(item) && isMasquerade(item))) explainWholeRule(context, rest, own);
  else explainSteps(context, rest, own);
}

/** The rule that tests and clears the mark and masquerades, and what is there instead. */
function explainWholeRule({ say }: ExplainContext, items: readonly RuleDifference[], own: string): void {
  const instead = items.filter((item) => item.side === 'extra' && isMasquerade(item));
  if (instead.length === 0 || !instead.every(isMark)) say('K8N410', items, { what: unmarked(own) });
  else if (instead.every(isFlip)) say('K8N409', items, { what: otherMark(own) });
  else say('K8N404', items, { what: stillMarked(own) });
}

/** A rule for each step. */
function explainSteps({ say }: ExplainContext, items: readonly RuleDifference[], own: string): void {
  const isEdited = items.some(({ side }) => side === 'extra') && items.some(({ side }) => side === 'missing');
  const clash = items.filter((item) => isSet(item) || (isEdited && isMark(item)));
  const flips = items.filter((item) => isFlip(item) && !clash.includes(item));
  const rest = items.filter((item) => !clash.includes(item) && !flips.includes(item));
  // A mark that is never set conflicts with none.
  const lost = isEdited || items.some(({ side }) => side !== 'missing') ? undefined : lostRules;
  if (clash.length > 0) say('K8N409', clash, { what: lost ? `${own} sets no mark` : otherMark(own), ...lost });
  if (flips.length > 0) say('K8N404', flips, { what: stillMarked(own) });
  if (rest.length > 0) say('K8N410', rest, { what: unmarked(own) });
}

function otherMark(own: string): string {
  return `${own} sets or tests another mark than it should`;
}

function stillMarked(own: string): string {
  return `${own} does not take the mark off a packet once`;
}

function unmarked(own: string): string {
  return `${own} does not masquerade just the marked packets`;
}

function isMasquerade(item: RuleDifference): boolean {
  return statementsOf(item).some((one) => one.kind === 'nat' && one.action === 'masquerade');
}

/** It tests the mark or sets it. */
function isMark(item: RuleDifference): boolean {
  return statementsOf(item).some(
    (one) => (one.kind === 'match' && isMarkOf(one.left)) || (one.kind === 'assign' && isMarkOf(one.target)),
  );
}

function isSet(item: RuleDifference): boolean {
  return statementsOf(item).some((one) => one.kind === 'assign' && one.operation === '|');
}

function isFlip(item: RuleDifference): boolean {
  return statementsOf(item).some((one) => one.kind === 'assign' && one.operation === '^');
}
