/** Each address is strictly less than the next, which means that they are sorted and distinct. */
export function isRising(items: readonly { readonly address: string }[]): boolean {
  let last = '';
  for (let at = 0; at < items.length; at++) {
    const { address } = items[at] as { readonly address: string };
    if (last >= address) return false;
    last = address;
  }
  return true;
}
