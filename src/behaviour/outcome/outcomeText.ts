import { addressText, endText } from '../../walk/values/text.ts';
import type { BehaviourOutcome } from './outcome.ts';
import { rejectionName } from './rejectionName.ts';

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
