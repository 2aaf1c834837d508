/** Names of protocols as options accept them, and their numbers. */
export const protocolNumbers: ReadonlyMap<string, number> = new Map([
  ['tcp', 6],
  ['udp', 17],
  ['sctp', 132],
  ['icmp', 1],
  ['icmpv6', 58],
]);

export function protocolName(number: number): string {
  return [...protocolNumbers].find(([, known]) => known === number)?.[0] ?? String(number);
}
