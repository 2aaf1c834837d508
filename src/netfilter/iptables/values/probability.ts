/**
 * The probability of a statistic match as iptables-save prints it. The kernel keeps a multiple of 2^-31, so the text
 * that was loaded comes back rounded to the nearest one, with eleven decimals.
 */
export function canonicalProbability(text: string): string {
  let rounded = known.get(text);
  if (rounded === undefined) {
    rounded = roundedProbability(text);
    if (known.size < mostKept) known.set(text, rounded);
  }
  return rounded;
}

/** kube-proxy writes few, those of Services with few endpoints most of all. */
const known = new Map<string, string>();
const mostKept = 100;

function roundedProbability(text: string): string {
  const probability = text === '' ? Number.NaN : Number(text);
  if (!(probability >= 0 && probability <= 1)) {
    return text;
  }
  return printShare(Math.floor(probability * 2 ** 31 + 0.5));
}

/**
 * `share` / 2^31 with eleven decimals. The odd multiples of 2^-12 end in a twelfth decimal of 5: C rounds that to the
 * even neighbor, toFixed always up.
 */
function printShare(share: number): string {
  const text = (share / 2 ** 31).toFixed(11);
  const isTie = share % 2 ** 19 === 0 && (share / 2 ** 19) % 2 === 1;
  if (!isTie) {
    return text;
  }
  const last = text.charCodeAt(text.length - 1) - 0x30;
  return last % 2 === 0 ? text : text.slice(0, -1) + String(last - 1);
}
