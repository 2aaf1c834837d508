/**
 * `1/n` as kube-proxy prints it: five digits (`%0.5f`, through 1.16) or ten. Go rounds an exact tie to the even digit,
 * JavaScript upwards; only 1/64 (five digits) and 1/2048 (ten) are ties.
 */
export function probability(n: number, digits: 5 | 10): string {
  if (digits === 5 && n === 64) return '0.01562';
  if (digits === 10 && n === 2048) return '0.0004882812';
  return (digits === 10 ? tenDigits[n] : undefined) ?? (1 / n).toFixed(digits);
}

/** Services mostly have few endpoints, and large clusters many Services: each of these is spelled hundreds of times. */
const tenDigits: readonly (string | undefined)[] = Array.from({ length: 100 }, (_, n) =>
  n === 0 ? undefined : (1 / n).toFixed(10),
);
