/** A rule without the `-A CHAIN ` that the heading above it gives already. */
export function withoutChain(rule: string, chain: string): string {
  const prefix = `-A ${chain} `;
  return rule.startsWith(prefix) ? rule.slice(prefix.length) : rule;
}
