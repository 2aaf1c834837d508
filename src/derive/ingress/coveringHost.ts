/** The wildcard that covers a host: `*.example.com` of `shop.example.com`. */
export function coveringHost(host: string): string {
  return host.replace(/^[^.]*/, '*');
}
