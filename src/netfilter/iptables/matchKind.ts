import type { Family } from '../../common/addresses/family.ts';
import type { Condition } from '../meaning.ts';
import type { Match, MatchOption } from './ast.ts';

/** As kube-proxy hands it to iptables-restore, and as iptables-save prints it. */
export type IptablesSpelling = 'restore' | 'save';

/** All there is to know of one kind of match. */
export interface MatchKind<M extends Match> {
  /** Undefined: iptables would not take these options; the match is then kept word by word. */
  read(options: readonly MatchOption[], name: string, isBare: boolean): M | undefined;
  /** ` -m name …`; of a match that is canonical the text that iptables-save prints. */
  print(match: M, spelling: IptablesSpelling): string;
  /** The form in which iptables-save prints the match; the match itself if it is that already. */
  canonical(match: M, family: Family): M;
  /** What it asks of a packet. */
  evaluate(match: M, family: Family): Condition;
}

export type KindOf<K extends Match['kind']> = MatchKind<Extract<Match, { kind: K }>>;
