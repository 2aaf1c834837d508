import { approximate, type Fraction } from '../../walk/values/fraction.ts';

/** `1/3` if it is that up to the kernel's rounding, otherwise percent. */
export function fractionText(share: Fraction): string {
  const value = approximate(share);
  if (share.num === share.den) return '1';
  if (share.den <= 1000n) return `${share.num}/${share.den}`;
  for (let whole = 2; whole <= 64; whole += 1) {
    const part = Math.round(value * whole);
    if (part > 0 && Math.abs(value - part / whole) < 1e-8) return `${part}/${whole}`;
  }
  return `${(value * 100).toFixed(2)} %`;
}
