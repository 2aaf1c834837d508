import type { ChainChoice } from '../../node/chains/eachChain.ts';

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
  /** Which chains of Services of a table may need a check; undefined: all. */
  readonly chosen: (table: string) => ChainChoice | undefined;
}

/** Of a dump that is compared with nothing. */
export const wholeDump: CheckScope = {
  isAlone: true,
  needsCheck: () => true,
  chosen: () => undefined,
};
