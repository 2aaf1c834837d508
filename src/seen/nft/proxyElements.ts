import type { NftElement } from '../../netfilter/nft/ast.ts';
import type { RuleTable } from '../../node/nodeRules.ts';
import { nftChainName } from '../names/nftChainName.ts';
import type { ServicePortName } from '../names/readServicePortName.ts';

/** Elements of one of kube-proxy's sets or maps: `map service-ips`. */
export function elementsOf({ chains }: RuleTable, name: string): readonly NftElement[] {
  const content = chains.get(name)?.content;
  return content?.kind === 'nftSet' ? content.set.elements : [];
}

/** The chain that an element leads to; empty: none. */
export function verdictChain({ verdict }: NftElement): string {
  return verdict !== undefined && 'chain' in verdict ? verdict.chain : '';
}

/** Matches only a whole name: part of a port's name is another name. */
export function nameOfChain(chain: string): ServicePortName | undefined {
  const { service = '', portName, rest } = nftChainName(chain) ?? {};
  return portName === undefined || rest !== '' ? undefined : { service, portName };
}
