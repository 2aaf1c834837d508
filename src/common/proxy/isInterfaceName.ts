/** Names that Linux accepts for an interface: at most 15 bytes, without blanks or slashes. */
export function isInterfaceName(text: string): boolean {
  return /^[^\s/\p{Cc}]{1,15}$/u.test(text) && new TextEncoder().encode(text).length <= 15;
}
