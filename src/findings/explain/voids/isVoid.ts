import type { ChainDiff } from '../../../compare/compareSets.ts';
import { isServiceChain } from '../../../netfilter/proxyChains.ts';
import { hasLines } from '../../../node/lines/chainLines.ts';

/** A Service chain that only one side has: what leads to it explains why. */
export function isVoid({ found, expected, chain, foundSet }: ChainDiff): boolean {
  if (foundSet.kind !== 'iptables' || !isServiceChain(chain)) return false;
  return expected === undefined || found === undefined || !hasLines(found);
}
