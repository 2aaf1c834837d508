import { placeOf } from '../../node/lines/chainLines.ts';
import type { RuleChain } from '../../node/ruleChain.ts';
import { lazyRule } from './lazyRule.ts';
import type { WalkChain, WalkRule } from './walkInput.ts';

/** A rule for the walk; `at` counts from 0, `offset` is the number of lines in the chain before its first rule. */
export function ruleAt(
  chain: WalkChain,
  lines: RuleChain,
  at: number,
  text: string,
  steps: () => WalkRule['steps'],
  comment: string | undefined,
  offset = 0,
): WalkRule {
  const { file, line } = placeOf(lines, at + offset);
  return lazyRule({ chain, number: at + 1, text, comment, file: file || undefined, line: line || undefined }, steps);
}

/** Where the dump declares the chain. */
export function placeDeclared({ file, declaredAt }: RuleChain): WalkChain['place'] {
  return declaredAt > 0 ? { file, line: declaredAt } : undefined;
}
