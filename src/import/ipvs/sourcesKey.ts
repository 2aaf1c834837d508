import type { IpvsAddress, IpvsFacts } from './ipvsFacts.ts';

/** Equal for addresses of load balancers that let the same sources pass; empty: everybody passes. */
export function sourcesKey(facts: IpvsFacts, address: IpvsAddress): string {
  if (facts.at('loadBalancerFirewall', address).length === 0) return '';
  const ranges = facts.at('loadBalancerSourceCIDR', address).map(({ third }) => third);
  const own = facts.at('loadBalancerSourceIP', address).length > 0;
  return `ranges ${ranges.sort().join(' ')} ${own}`;
}
