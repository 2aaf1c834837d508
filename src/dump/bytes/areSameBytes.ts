/** Whether two texts have the same bytes from these places on. */
export function areSameBytes(one: DataView, from: number, other: DataView, at: number, length: number): boolean {
  if (from + length > one.byteLength || at + length > other.byteLength) return false;
  // The end is compared first, because names of chains begin alike.
  let left = length;
  for (; left >= 4; left -= 4) {
    if (one.getInt32(from + left - 4) !== other.getInt32(at + left - 4)) return false;
  }
  for (; left > 0; left -= 1) if (one.getUint8(from + left - 1) !== other.getUint8(at + left - 1)) return false;
  return true;
}
