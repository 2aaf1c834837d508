/** What the kernel keeps for each way to write a mark. */
export function asXmark(
  operation: 'set' | 'or' | 'and' | 'xor' | 'set-xmark',
  mark: number,
  mask: number | undefined,
): { readonly value: number; readonly mask: number } {
  switch (operation) {
    case 'set':
      return { value: mark, mask: mask === undefined ? 0xffffffff : (mark | mask) >>> 0 };
    case 'set-xmark':
      return { value: mark, mask: mask ?? 0xffffffff };
    case 'or':
      return { value: mark, mask: mark };
    case 'xor':
      return { value: mark, mask: 0 };
    case 'and':
      return { value: 0, mask: ~mark >>> 0 };
  }
}
