/** `shop/web` of `shop/web:http`, and of a name without a port. */
export function serviceOfPort(name: string): string {
  const at = name.indexOf(':');
  return at === -1 ? name : name.slice(0, at);
}
