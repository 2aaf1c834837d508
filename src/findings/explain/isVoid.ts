import type { ChainDiff } from '../../compare/compareSets.ts';
import { isServiceChain } from '../../netfilter/proxyChains.ts';
import { hasLines } from '../../node/lines/chainLines.ts';

/** A Service chain that is only on one side: what leads to it says why. */
export function isVoid({ found, expected, chain, foundSet }: ChainDiff): boolean {
  if (foundSet.kind !== 'iptables' || !isServiceChain(chain)) return false;
  return expected === undefined || found === undefined || !hasLines(found);
}
