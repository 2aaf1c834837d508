import { addressText, endText } from '../walk/text.ts';
import type { Distribution } from './distribution.ts';
import type { BehaviourOutcome, DecidingRule } from './outcome.ts';
import { rejectionName } from './rejectionName.ts';

/** What becomes of a packet, for a person: one line an outcome, with its share and the rule that decides. */
export function distributionLines({ outcomes, isOpen }: Distribution, isV6: boolean): readonly string[] {
  const all = [...outcomes.values()].sort((one, other) => other.share - one.share);
  const shown = all.slice(0, mostOutcomes).map(({ outcome, share }) => {
    const part = isOpen ? 'perhaps ' : all.length === 1 ? '' : `${(share * 100).toFixed(1)} % `;
    return `${part}${outcomeText(outcome, isV6)}${placeText(outcome.decidedBy?.())}`;
  });
  return all.length > mostOutcomes ? [...shown, `… ${all.length - mostOutcomes} more endpoints`] : shown;
}

const mostOutcomes = 4;

export function outcomeText(outcome: BehaviourOutcome, isV6: boolean): string {
  const { kind, at, source, isMasqueraded, by, why, staysFor } = outcome;
  const end = at && endText(at.address, at.port);
  const as = isMasqueraded
    ? `, masqueraded as ${source === undefined ? "the interface's address" : addressText(source)}`
    : '';
  switch (kind) {
    case 'arrives':
      return `arrives at ${end}${as}${stayText(staysFor)}`;
    case 'leaves':
      return `leaves for ${end} untranslated${as}`;
    case 'node':
      return `comes to ${end} of the node itself`;
    case 'refused':
      return `refused (${by ? rejectionName(by, isV6) : 'unknown'})`;
    case 'dropped':
      return 'dropped';
    case 'unroutable':
      return `unroutable: ${why}`;
    case 'unknown':
      return `unknown: ${why}`;
  }
}

function stayText(staysFor: number | undefined): string {
  if (staysFor === undefined) return '';
  return Number.isFinite(staysFor) ? `, again for ${staysFor / 1000} s` : ', again from then on';
}

function placeText(decided: DecidingRule | undefined): string {
  if (decided === undefined) return '';
  const { chain, rule } = decided;
  const place = rule ?? chain.place;
  const file = place?.file === undefined || place.file === '' ? '' : ` ${place.file}:${place.line ?? 1}`;
  return `   [${chain.table.name} ${chain.name}${rule === undefined ? ' policy' : ` #${rule.number}`}${file}]`;
}
