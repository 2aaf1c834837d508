import type { BaseChain, NftElement, NftRule, NftSet, NftTable } from './ast.ts';

type Placed<T> = T & { readonly family: string; readonly table: string };

/** One line of a transaction. nft applies all lines of a file or none. */
export type NftCommand =
  | Placed<{
      readonly object: 'table';
      readonly verb: 'add' | 'create' | 'delete' | 'flush';
      readonly comment?: string;
    }>
  | Placed<{
      readonly object: 'chain';
      readonly verb: 'add' | 'create' | 'delete' | 'flush';
      readonly name: string;
      readonly base?: BaseChain;
      readonly comment?: string;
    }>
  | Placed<{
      readonly object: 'set';
      readonly verb: 'add' | 'create';
      /** Its elements come with element commands. */
      readonly set: NftSet;
    }>
  | Placed<{
      readonly object: 'set';
      readonly verb: 'delete' | 'flush';
      readonly setKind: 'set' | 'map';
      readonly name: string;
    }>
  | Placed<{
      readonly object: 'element';
      readonly verb: 'add' | 'create' | 'delete';
      readonly set: string;
      readonly elements: readonly NftElement[];
    }>
  | Placed<{
      readonly object: 'counter';
      readonly verb: 'add' | 'create' | 'delete';
      readonly name: string;
    }>
  | Placed<{
      readonly object: 'rule';
      readonly verb: 'add' | 'insert';
      readonly chain: string;
      readonly rule: NftRule;
    }>
  /** A whole table as a listing shows it; what it holds is added. */
  | Placed<{ readonly object: 'block'; readonly verb: 'add'; readonly content: NftTable }>;
