import { isFirewallChain } from '../../netfilter/proxyChains.ts';
import type { Distribution } from '../outcome/distribution.ts';

/** The rule that drops is one of those by which each mode enforces source ranges. */
export function isStoppedByRanges({ outcomes }: Distribution): boolean {
  return [...outcomes.values()].every(({ outcome }) => isFirewallChain(outcome.decidedBy?.().chain.name ?? ''));
}
