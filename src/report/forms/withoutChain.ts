/** A rule without the `-A CHAIN ` that says no more than the heading above it. */
export function withoutChain(rule: string, chain: string): string {
  const prefix = `-A ${chain} `;
  return rule.startsWith(prefix) ? rule.slice(prefix.length) : rule;
}
