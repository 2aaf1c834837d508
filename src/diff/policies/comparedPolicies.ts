import type { Family } from '../../common/addresses/family.ts';
import type { RuleChange } from '../../compare/ruleChange.ts';
import type { ChangeAbout } from './changeAbout.ts';
import type { PolicySide } from './gateDifference.ts';

/** The rules of one family that enforce policies, on both sides, and how they differ. */
export interface ComparedPolicies {
  readonly family: Family;
  /** The dump shows the whole table. */
  readonly isWhole: boolean;
  readonly changes: readonly RuleChange[];
  readonly expected: PolicySide;
  readonly found: PolicySide;
  /** Rules that do exactly what the policies say, where the expected ones are kube-router's, which do not always. */
  readonly exact?: PolicySide;
  readonly aboutOf: (change: RuleChange) => ChangeAbout;
}
