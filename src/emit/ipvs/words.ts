import type { Family } from '../../common/family.ts';
import type { Match, SetSide, Word } from '../../netfilter/iptables/ast.ts';
import { comment, inSet as inNamedSet } from '../../netfilter/iptables/builders.ts';
import { type SetKey, setName, setTable } from './setTable.ts';

/** `-m set --match-set NAME dst,dst`. */
export function inSet(key: SetKey, flags: string, family: Family): Match {
  return inNamedSet(setName(key, family), flags.split(',') as SetSide[]);
}

/** The set's comment, then its match. */
export function inCommentedSet(key: SetKey, flags: string, family: Family): readonly Word[] {
  return [comment(setTable[key].comment), inSet(key, flags, family)];
}
