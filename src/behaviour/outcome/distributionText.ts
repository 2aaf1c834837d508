import type { Distribution } from './distribution.ts';
import type { DecidingRule } from './outcome.ts';
import { outcomeText } from './outcomeText.ts';

/** The outcomes of a packet, for a person: one line an outcome, with its share and the deciding rule. */
export function distributionLines({ outcomes, isOpen }: Distribution, isV6: boolean): readonly string[] {
  // Shares that are meant to be equal differ by what kube-proxy rounds.
  const all = [...outcomes.values()].sort((one, other) => millionths(other.share) - millionths(one.share));
  const shown = all.slice(0, mostOutcomes).map(({ outcome, share }) => {
    const part = isOpen ? 'perhaps ' : all.length === 1 ? '' : `${(share * 100).toFixed(1)} % `;
    return `${part}${outcomeText(outcome, isV6)}${placeText(outcome.decidedBy?.())}`;
  });
  return all.length > mostOutcomes ? [...shown, `… ${all.length - mostOutcomes} more endpoints`] : shown;
}

const mostOutcomes = 4;

function millionths(share: number): number {
  return Math.round(share * 1e6);
}

function placeText(decided: DecidingRule | undefined): string {
  if (decided === undefined) return '';
  const { chain, rule } = decided;
  const place = rule ?? chain.place;
  const file = place?.file === undefined || place.file === '' ? '' : ` ${place.file}:${place.line ?? 1}`;
  return `   [${chain.table.name} ${chain.name}${rule === undefined ? ' policy' : ` #${rule.number}`}${file}]`;
}
