/** `ip:port`, with brackets around an IPv6 address. */
export function ipPort(ip: string, port: number): string {
  return ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`;
}
