import type { IpSet } from '../netfilter/ipset/ast.ts';
import type { VirtualService } from '../netfilter/ipvs/ast.ts';
import type { NftChain, NftSet } from '../netfilter/nft/ast.ts';

/**
 * A chain as text, one rule a line in its tool's own spelling, without counters: equal texts need no parsing.
 * `linesOf` splits it, `rulesOf` parses it; both work once for each chain.
 */
export interface RuleChain {
  readonly name: string;
  /** Of a base chain. */
  readonly policy?: string;
  /** Packets that the policy decided on; undefined: the dump does not count them. */
  readonly policyPackets?: number;
  /** Packets that each line matched, where the dump counts them. */
  readonly packets?: readonly (number | undefined)[];
  /** The chain has a line of its own, beside its rules. */
  readonly isDeclared: boolean;
  /** Lines set apart by line breaks; empty: no lines. */
  readonly text: string;
  /** Line of the first in its file, where the lines stand one after another; 0: compiled, or see `lineNumbers`. */
  readonly firstLine: number;
  /** The line of each in its file, where they do not stand one after another. */
  readonly lineNumbers?: readonly number[];
  readonly file: string;
  /** Files of the lines, where a chain was pieced together from several. */
  readonly files?: readonly string[];
  /** Line of the declaration; 0: none. */
  readonly declaredAt: number;
  /** What the lines say, of tools whose texts are parsed whole; chains of iptables have none. */
  readonly content?: ChainContent;
  /** Of compiled chains: the Service port (`namespace/name:port`) that all lines belong to, or each. */
  readonly owner?: string;
  readonly owners?: readonly (string | undefined)[];
}

/** Items in the order of the chain's lines, behind one line for the hook, timeout, type or scheduler where there is one. */
export type ChainContent =
  | { readonly kind: 'nftChain'; readonly family: string; readonly chain: NftChain }
  | { readonly kind: 'nftSet'; readonly family: string; readonly set: NftSet }
  | { readonly kind: 'ipset'; readonly set: IpSet }
  | { readonly kind: 'virtualServer'; readonly service: VirtualService };
