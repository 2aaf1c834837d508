/** An exact share of all packets, in lowest terms. */
export interface Fraction {
  readonly num: bigint;
  readonly den: bigint;
}

export const one: Fraction = { num: 1n, den: 1n };

export function fraction(num: number | bigint, den: number | bigint): Fraction {
  return reduced(BigInt(num), BigInt(den));
}

export function times(a: Fraction, b: Fraction): Fraction {
  return a === one ? b : b === one ? a : reduced(a.num * b.num, a.den * b.den);
}

export function plus(a: Fraction, b: Fraction): Fraction {
  return reduced(a.num * b.den + b.num * a.den, a.den * b.den);
}

/** As a number, for printing and sorting. */
export function approximate({ num, den }: Fraction): number {
  // Both may be beyond what a double holds: fifteen digits are kept.
  const scale = 10n ** 17n;
  return Number((num * scale) / den) / 1e17;
}

function reduced(num: bigint, den: bigint): Fraction {
  const divisor = isPowerOfTwo(den) ? commonPowerOfTwo(num, den) : greatestCommonDivisor(num, den);
  return { num: num / divisor, den: den / divisor };
}

/** Shares of iptables are multiples of 2⁻³¹: after a thousand rules the denominator has ten thousand digits. */
function isPowerOfTwo(value: bigint): boolean {
  return (value & (value - 1n)) === 0n;
}

function commonPowerOfTwo(num: bigint, den: bigint): bigint {
  const lowest = num & -num;
  return lowest === 0n || lowest > den ? den : lowest;
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [high, low] = [a, b];
  while (low !== 0n) [high, low] = [low, high % low];
  return high === 0n ? 1n : high;
}
