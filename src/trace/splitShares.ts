import { escapeText } from '../common/text/escapeText.ts';
import type { Condition } from '../netfilter/meaning.ts';
import type { Choice } from '../walk/flow.ts';
import { approximate, type Fraction, plus } from '../walk/values/fraction.ts';
import { trailItems } from '../walk/values/trail.ts';
import { fractionText } from './show/fractionText.ts';
import { outcomeName } from './show/outcomeName.ts';
import type { TraceResult } from './traceResult.ts';

/** Which share of all connections an endpoint gets, and how the rules make it. */
export interface Share {
  readonly to: string;
  readonly share: Fraction | undefined;
  /** One word for each rule that chance decided: `2/3 left × 1/2`. */
  readonly ladder: string;
}

/** The shares of a trace by where packets end, the greatest first. */
export function splitShares({ outcomes }: TraceResult): readonly Share[] {
  const shares = new Map<string, Share>();
  for (const outcome of outcomes) {
    const to = outcomeName(outcome);
    const known = shares.get(to);
    const ladder = trailItems(outcome.first.flow.choices).map(choiceText).join(' × ');
    if (known === undefined) shares.set(to, { to, share: outcome.share, ladder });
    else
      shares.set(to, {
        to,
        share: known.share && outcome.share && plus(known.share, outcome.share),
        ladder: `${known.ladder} + ${ladder}`,
      });
  }
  return [...shares.values()];
}

export function splitText(shares: readonly Share[]): string {
  const width = Math.max(...shares.map(({ to }) => to.length));
  return shares
    .map(({ to, share, ladder }) => {
      const part = share === undefined ? '?' : fractionText(share);
      const percent = share === undefined ? '' : `${(approximate(share) * 100).toFixed(2)} %`;
      return `${`${to.padEnd(width)}  ${part.padEnd(6)} ${percent.padStart(8)}${ladder === '' ? '' : `   ${escapeText(ladder)}`}`.trimEnd()}\n`;
    })
    .join('');
}

/** `KUBE-SVC-… #3 1/2`; for a rule that did not take the packet: what it left. */
function choiceText({ rule, name, kind, taken }: Choice): string {
  const place = rule === undefined ? (name ?? kind) : `${rule.chain.name} #${rule.number}`;
  const chance = rule?.steps.flatMap((step) => (step.kind === 'ask' ? chancesOf(step.condition) : []))[0];
  if (chance === undefined) return `${place} (${kind})`;
  const share = taken ? chance.share : chance.whole - chance.share;
  const text = fractionText({ num: BigInt(share), den: BigInt(chance.whole) });
  return taken ? `${place} takes ${text}` : `${place} leaves ${text}`;
}

function chancesOf(condition: Condition): readonly { readonly share: number; readonly whole: number }[] {
  switch (condition.kind) {
    case 'chance':
      return [condition];
    case 'inTurn':
      return [{ share: 1, whole: condition.every }];
    case 'all':
      return condition.conditions.flatMap(chancesOf);
    default:
      return [];
  }
}
