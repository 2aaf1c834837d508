/**
 * `1/n` as kube-proxy prints it: five digits (`%0.5f`, through 1.16) or ten. Go rounds an exact tie to the even digit,
 * JavaScript upwards; only 1/64 (five digits) and 1/2048 (ten) are ties.
 */
export function probability(n: number, digits: 5 | 10): string {
  if (digits === 5 && n === 64) return '0.01562';
  if (digits === 10 && n === 2048) return '0.0004882812';
  if (digits === 5) return (1 / n).toFixed(5);
  let text = tenDigits[n];
  if (text === undefined) {
    text = (1 / n).toFixed(10);
    if (n < mostKept) tenDigits[n] = text;
  }
  return text;
}

/**
 * Services usually have few endpoints, and large clusters many Services: each of these is printed hundreds of times.
 */
const tenDigits: string[] = [];
const mostKept = 100;
