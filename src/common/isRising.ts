/** Each address stands strictly before the next one, so that they are sorted and there are no doubles. */
export function isRising(items: readonly { readonly address: string }[]): boolean {
  let last = '';
  for (let at = 0; at < items.length; at++) {
    const { address } = items[at] as { readonly address: string };
    if (last >= address) return false;
    last = address;
  }
  return true;
}
