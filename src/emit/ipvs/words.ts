import type { Family } from '../../common/family.ts';
import type { Match, Target, Word } from '../../netfilter/iptables/ast.ts';
import { type SetKey, setName, setTable } from './setTable.ts';

export function comment(text: string): Match {
  return { kind: 'comment', text };
}

export function jumpTo(chain: string): Target {
  return { kind: 'jump', chain };
}

/** `-m set --match-set NAME dst,dst`. */
export function inSet(key: SetKey, flags: string, family: Family): Match {
  return { kind: 'set', set: setName(key, family), flags };
}

/** The set's comment, then its match. */
export function inCommentedSet(key: SetKey, flags: string, family: Family): readonly Word[] {
  return [comment(setTable[key].comment), inSet(key, flags, family)];
}

/** Traffic from, or to, an address that is local to the node; negated: that is not. */
export function addressType(side: 'src-type' | 'dst-type', negated = false): Match {
  const option = { name: side, values: ['LOCAL'] };
  return { kind: 'addrtype', options: [negated ? { ...option, negated } : option] };
}
