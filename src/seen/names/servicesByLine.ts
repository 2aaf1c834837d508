import { memoized } from '../../common/memoized.ts';
import { linesOf } from '../../node/lines/chainLines.ts';
import type { RuleChain } from '../../node/ruleChain.ts';
import { serviceInLine } from './serviceInLine.ts';

/**
 * The Service (`namespace/name`) that each line of an iptables chain names in its comment; empty: none. The lines are
 * not parsed: shared chains of a large cluster have tens of thousands.
 */
export function servicesByLine(chain: RuleChain | undefined): readonly string[] {
  if (chain === undefined) return [];
  return chain.text.length < shortText ? readServices(chain) : read(chain);
}

/** Reading a short chain again is faster than a lookup. */
const shortText = 5000;

const read = memoized(readServices);

function readServices(chain: RuleChain): readonly string[] {
  return linesOf(chain).map((line) => serviceInLine(line) ?? '');
}
