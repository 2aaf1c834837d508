/** `shop/web` from `shop/web:http`, or from a name without a port. */
export function serviceOfPort(name: string): string {
  const at = name.indexOf(':');
  return at === -1 ? name : name.slice(0, at);
}
