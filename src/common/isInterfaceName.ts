/** What Linux takes for a name of an interface: at most 15 bytes, no blank and no slash. */
export function isInterfaceName(text: string): boolean {
  return /^[^\s/\p{Cc}]{1,15}$/u.test(text) && new TextEncoder().encode(text).length <= 15;
}
