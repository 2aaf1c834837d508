import type { ChainChoice } from '../../node/chains/chainChoice.ts';

/**
 * Which part of a dump is checked. Chains that equal the compiled ones need no checks, which saves most of the work on
 * a large node.
 */
export interface CheckScope {
  /** The dump is compared with nothing: findings that a comparison would express differently are wanted too. */
  readonly isAlone: boolean;
  /**
   * Whether a chain, or any chain of a table, may differ from what is expected. `isAboutIt`: all findings of the check
   * are about the chain, so a shared chain that is as expected needs none either.
   */
  readonly needsCheck: (table: string, chain?: string, isAboutIt?: boolean) => boolean;
  /** Which chains of Services in a table may need a check; undefined: all. */
  readonly chosen: (table: string) => ChainChoice | undefined;
}

/** The scope for a dump that is compared with nothing. */
export const wholeDump: CheckScope = {
  isAlone: true,
  needsCheck: () => true,
  chosen: () => undefined,
};
