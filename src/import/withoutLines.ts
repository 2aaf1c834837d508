import { linesOf, numbersOf } from '../node/lines/chainLines.ts';
import type { RuleChain } from '../node/ruleChain.ts';

/** A chain without the lines at these places. */
export function withoutLines(chain: RuleChain, away: ReadonlySet<number>): RuleChain {
  const isKept = (_: unknown, at: number) => !away.has(at);
  const numbers = numbersOf(chain);
  return {
    ...chain,
    text: linesOf(chain).filter(isKept).join('\n'),
    firstLine: 0,
    ...(numbers.length > 0 && { lineNumbers: numbers.filter(isKept) }),
    ...(chain.files && { files: chain.files.filter(isKept) }),
  };
}
