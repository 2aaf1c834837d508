import type { Family } from '../../../common/addresses/family.ts';
import type { Step } from '../../meaning.ts';
import type { Rule } from '../ast.ts';
import { isHeader } from '../canonical.ts';
import { evaluateMatch } from '../matches.ts';
import { evaluateTarget } from '../targets.ts';
import { headerMeaning } from './matchMeaning.ts';

/** What a rule asks and does, in the kernel's order: header, matches from left to right, target. */
export function ruleSteps(rule: Rule, family: Family): readonly Step[] {
  const headers: Step[] = [];
  const matches: Step[] = [];
  for (const word of rule.words) {
    if (isHeader(word)) {
      headers.push({ kind: 'ask', condition: headerMeaning(word, family) });
    } else if (word.kind !== 'comment') {
      matches.push({ kind: 'ask', condition: evaluateMatch(word, family) });
    }
  }
  return rule.target ? [...headers, ...matches, evaluateTarget(rule.target, family)] : [...headers, ...matches];
}
