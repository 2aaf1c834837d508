import type { RuleChange } from '../../compare/ruleChange.ts';
import { changeOf } from '../../findings/explain/explainWith.ts';
import { ruleDifferences } from '../../findings/explain/ruleDifferences.ts';
import { changeKey } from './changeKey.ts';
import type { Compared } from './compareManifests.ts';

/** Every rule that differs, whether or not a finding explains it, and chains with different names. */
export function changesOf({ diffs, changes }: Pick<Compared, 'diffs' | 'changes'>): readonly RuleChange[] {
  const rules = diffs.flatMap((diff) => ruleDifferences(diff).map((item) => changeOf(diff, item)));
  const known = new Set(rules.map(changeKey));
  return [...rules, ...changes.filter((change) => !known.has(changeKey(change)))];
}
