/** What a server answers with: where it was reached. */
export function serverName(address: string, port: number): string {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}
