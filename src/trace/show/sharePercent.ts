import { approximate, type Fraction } from '../../walk/values/fraction.ts';
import { fractionText } from './fractionText.ts';

/** `1/3 (33.33 %)`. */
export function sharePercent(share: Fraction): string {
  const text = fractionText(share);
  return text.endsWith('%') ? text : `${text} (${(approximate(share) * 100).toFixed(2)} %)`;
}
