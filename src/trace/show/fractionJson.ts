import { approximate, type Fraction } from '../../walk/values/fraction.ts';

export function fractionJson(share: Fraction): object {
  return { num: numberOrText(share.num), den: numberOrText(share.den), approx: Number(approximate(share).toFixed(5)) };
}

/** Numbers beyond what JSON's readers hold exactly are strings. */
function numberOrText(value: bigint): number | string {
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value.toString();
}
