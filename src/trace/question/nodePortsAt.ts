import type { Family } from '../../common/addresses/family.ts';

/** Node ports of this number, by what objects and rules show. */
export type NodePortsAt = (port: number) => readonly {
  readonly family: Family;
  /** Undefined: the rules take every protocol. */
  readonly protocol: number | undefined;
}[];
