import type { Step } from '../../meaning.ts';
import type { NftRule } from '../ast.ts';
import { evaluateStatement } from '../statements.ts';

/** What a rule of a table of this family asks and does, from left to right. */
export function nftRuleSteps({ statements }: NftRule, family: string): readonly Step[] {
  return statements.flatMap((statement) => evaluateStatement(statement, family));
}
