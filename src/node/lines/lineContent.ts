import type { IpsetMember } from '../../netfilter/ipset/ast.ts';
import type { RealServer, VirtualService } from '../../netfilter/ipvs/ast.ts';
import type { NftElement, NftRule } from '../../netfilter/nft/ast.ts';
import type { RuleChain } from '../ruleChain.ts';
import { linesOf } from './chainLines.ts';

/**
 * The content of a line in a chain, for tools whose texts are parsed as a whole; `rulesOf` parses rules of iptables.
 */
export type LineContent =
  | { readonly kind: 'nftRule'; readonly rule: NftRule }
  | { readonly kind: 'nftElement'; readonly element: NftElement }
  | { readonly kind: 'member'; readonly member: IpsetMember }
  | { readonly kind: 'persistence'; readonly persistence: NonNullable<VirtualService['persistence']> }
  | { readonly kind: 'server'; readonly server: RealServer };

/**
 * Undefined for a rule of iptables, and for what a chain has before its items: a hook, a timeout, a type, a scheduler.
 */
export function lineContent(chain: RuleChain | undefined, at: number): LineContent | undefined {
  const content = chain?.content;
  if (chain === undefined || content === undefined) return undefined;
  const fromEnd = at - linesOf(chain).length;
  switch (content.kind) {
    case 'nftChain': {
      const rule = content.chain.rules.at(fromEnd);
      return isItem(content.chain.rules, fromEnd) && rule ? { kind: 'nftRule', rule } : undefined;
    }
    case 'nftSet': {
      const element = content.set.elements.at(fromEnd);
      return isItem(content.set.elements, fromEnd) && element ? { kind: 'nftElement', element } : undefined;
    }
    case 'ipset': {
      const member = content.set.members.at(fromEnd);
      return isItem(content.set.members, fromEnd) && member ? { kind: 'member', member } : undefined;
    }
    case 'virtualServer': {
      const { persistence, servers } = content.service;
      const server = servers.at(fromEnd);
      if (isItem(servers, fromEnd) && server) return { kind: 'server', server };
      return persistence !== undefined && at === 1 ? { kind: 'persistence', persistence } : undefined;
    }
  }
}

/** Items stand at the end of the lines. */
function isItem(items: readonly unknown[], fromEnd: number): boolean {
  return -fromEnd <= items.length;
}
