import type { ChainDiff } from '../../compare/compareSets.ts';
import type { Rule } from '../../netfilter/iptables/ast.ts';
import { linesOf } from '../../node/lines/chainLines.ts';
import { type LineContent, lineContent } from '../../node/lines/lineContent.ts';
import type { RuleChain } from '../../node/ruleChain.ts';
import { ruleOf } from '../../node/rulesOf.ts';

/** One rule in which two chains differ. */
export interface RuleDifference {
  readonly side: 'missing' | 'extra' | 'moved';
  readonly line: string;
  /** For iptables. */
  readonly rule: Rule;
  /** For all other tools; undefined: a line of the chain itself. */
  readonly content: LineContent | undefined;
  /** Its place in the list of the side that has it; for a moved rule, the expected one. */
  readonly at: number;
  readonly foundAt: number | undefined;
  /** The Service port that the rule belongs to, if it is expected. */
  readonly owner: string | undefined;
}

export function ruleDifferences(diff: ChainDiff): readonly RuleDifference[] {
  const { expected, found, foundSet } = diff;
  const lineOf = (chain: RuleChain | undefined, at: number) => {
    const line = linesOf(chain)[at] as string;
    return { line, rule: ruleOf(line, foundSet.family), content: lineContent(chain, at), at };
  };
  const ownerAt = (at: number) => expected?.owner ?? expected?.owners?.[at];
  return [
    ...diff.missing.map(
      (at): RuleDifference => ({
        side: 'missing',
        ...lineOf(expected, at),
        foundAt: undefined,
        owner: ownerAt(at),
      }),
    ),
    ...diff.extra.map((at): RuleDifference => ({ side: 'extra', ...lineOf(found, at), foundAt: at, owner: undefined })),
    ...diff.moved.map(
      ([at, foundAt]): RuleDifference => ({ side: 'moved', ...lineOf(expected, at), foundAt, owner: ownerAt(at) }),
    ),
  ];
}
