import type { RuleChain, RuleTable } from '../../node/nodeRules.ts';

/**
 * What of a dump is checked. Chains that are equal to what was compiled need no checks, which is most of the work on a large
 * node.
 */
export interface CheckScope {
  /** The dump is compared with nothing: findings that a comparison has in other words are wanted too. */
  readonly isAlone: boolean;
  /**
   * Whether a chain, or any of a table, may be other than expected. `isAboutIt`: all findings of the check are about the
   * chain, so that a shared chain that is as expected needs none either.
   */
  readonly needsCheck: (table: string, chain?: string, isAboutIt?: boolean) => boolean;
  /** The chains of a table, in its order, maybe without some that need no check. */
  readonly chainsOf: (table: RuleTable) => Iterable<RuleChain>;
}

/** Of a dump that is compared with nothing. */
export const wholeDump: CheckScope = {
  isAlone: true,
  needsCheck: () => true,
  chainsOf: ({ chains }) => chains.values(),
};
