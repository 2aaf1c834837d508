/**
 * One line of a text that `ipset restore` reads. `isExist` is the flag `-exist`: it is not an error if something
 * already exists. Members are kept as they were written; `canonicalSet` gives them the spelling in which ipset prints
 * them.
 */
export type IpsetCommand = CreateCommand | MemberCommand | SetCommand;

export interface CreateCommand {
  readonly kind: 'create';
  readonly set: string;
  /** `hash:ip,port`, `bitmap:port`, `list:set` … */
  readonly type: string;
  readonly options: readonly IpsetOption[];
  readonly isExist?: true;
  /** See `IpSet`. */
  readonly isCut?: true;
}

export interface MemberCommand {
  readonly kind: 'add' | 'del';
  readonly set: string;
  readonly member: string;
  readonly options: readonly IpsetOption[];
  readonly isExist?: true;
}

export type SetCommand =
  /** Without a set: all of them. */
  | { readonly kind: 'flush' | 'destroy'; readonly set?: string }
  | { readonly kind: 'swap' | 'rename'; readonly set: string; readonly other: string };

/** `family inet`, `timeout 300`, or a flag: `counters`, `nomatch`. */
export interface IpsetOption {
  readonly name: string;
  readonly value?: string;
}

/** The sets that a kernel holds once commands were carried out, in the order in which they were made. */
export interface IpsetState {
  readonly kind: 'ipset';
  readonly sets: readonly IpSet[];
  /** Lines of the text could not be read, that may make a set or a member. */
  readonly hasUnreadLines?: true;
}

export interface IpSet {
  readonly name: string;
  readonly type: string;
  readonly options: readonly IpsetOption[];
  readonly members: readonly IpsetMember[];
  /** It has more members than its listing shows. */
  readonly isCut?: true;
  /** Line of the text that made the set, from 1; absent in compiled sets. */
  readonly line?: number;
}

export interface IpsetMember {
  readonly member: string;
  readonly options: readonly IpsetOption[];
  readonly line?: number;
}
