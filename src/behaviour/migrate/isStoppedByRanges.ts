import type { Distribution } from '../distribution.ts';

/** The rule that drops is one of those by which each mode asks for the ranges. */
export function isStoppedByRanges({ outcomes }: Distribution): boolean {
  return [...outcomes.values()].every(({ outcome }) => rangeChains.test(outcome.decidedBy?.().chain.name ?? ''));
}

const rangeChains = /^KUBE-FW-|firewall/i;
