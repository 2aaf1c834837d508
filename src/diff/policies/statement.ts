import type { Origin } from '../../diagnostics/diagnostic.ts';
import type { Direction } from '../../model/netPolicy.ts';
import type { FindingCode } from '../../problems/problemCode.ts';

/** A sentence about one address, and about others with the same `key`. */
export interface Statement {
  readonly code: FindingCode;
  readonly key: string;
  /** The sentence about whatever has this in common. */
  readonly what: (subjects: string, isOne: boolean) => string;
  /** A Pod, or an address. */
  readonly subject: string;
  readonly directions: readonly Direction[];
  /** Policies that are named. */
  readonly places: readonly Origin[];
}

/** All sentences about an address. */
export interface AddressStatements {
  readonly statements: readonly Statement[];
  /** The directions in which its connections fare alike on both sides. */
  readonly same: readonly Direction[];
  /** One side has no rules for it, whatever hook its packets come by. */
  readonly isWithoutRules: boolean;
}
