import type { IpSet } from '../netfilter/ipset/ast.ts';
import type { VirtualService } from '../netfilter/ipvs/ast.ts';
import type { NftChain, NftSet } from '../netfilter/nft/ast.ts';

/**
 * A chain as text, one rule a line in the spelling of its tool, without counters: equal texts need no parsing.
 * `linesOf` splits it, `rulesOf` parses it; both work once for each chain.
 */
export interface RuleChain {
  readonly name: string;
  /** Only base chains have one. */
  readonly policy?: string;
  /** Packets that the policy decided about; undefined: the dump does not count them. */
  readonly policyPackets?: number;
  /** Packets that each line matched, if the dump counts them. */
  readonly packets?: readonly (number | undefined)[];
  /** The chain has a line of its own apart from its rules. */
  readonly isDeclared: boolean;
  /** Lines separated by line breaks; empty: no lines. */
  readonly text: string;
  /** Line number of the first in its file, if the lines follow one another; 0: compiled, or see `lineNumbers`. */
  readonly firstLine: number;
  /** Line number of each in its file, if they do not follow one another. */
  readonly lineNumbers?: readonly number[];
  readonly file: string;
  /** Files of the lines, if a chain was pieced together from several. */
  readonly files?: readonly string[];
  /** Line of the declaration; 0: none. */
  readonly declaredAt: number;
  /** What the lines say, for tools whose texts are parsed as a whole; undefined for chains of iptables. */
  readonly content?: ChainContent;
  /**
   * For compiled chains: the Service port (`namespace/name:port`) that all lines belong to, or that each belongs to.
   */
  readonly owner?: string;
  readonly owners?: readonly (string | undefined)[];
}

/**
 * Items in the order of the chain's lines, behind one line for the hook, timeout, type or scheduler if there is one.
 */
export type ChainContent =
  | { readonly kind: 'nftChain'; readonly family: string; readonly chain: NftChain }
  | { readonly kind: 'nftSet'; readonly family: string; readonly set: NftSet }
  | { readonly kind: 'ipset'; readonly set: IpSet }
  | { readonly kind: 'virtualServer'; readonly service: VirtualService };
