/**
 * Orders texts by their UTF-8 bytes, as Go orders strings. JavaScript compares UTF-16 units. The order is the same
 * except where a surrogate meets a character above U+DFFF; ASCII takes the fast way.
 */
export function compareBytes(a: string, b: string): number {
  if (a === b) return 0;
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left !== right) return codePointRank(left) - codePointRank(right);
  }
  return a.length - b.length;
}

/** UTF-16 units in code-point order: surrogates stand for characters above U+FFFF. */
function codePointRank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit > 0xdfff ? unit - 0x800 : unit + 0x2000;
}
