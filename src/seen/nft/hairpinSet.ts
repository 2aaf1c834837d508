import type { NftChain, NftElement } from '../../netfilter/nft/ast.ts';
import { translatedTo } from '../../netfilter/nft/translatedTo.ts';
import { isProxyTable } from '../../netfilter/proxyChains.ts';
import type { RuleTable } from '../../node/nodeRules.ts';
import { nftChainName } from '../names/nftChainName.ts';

/** The set of the node's own endpoints, since 1.36, among the chains of kube-proxy's table. */
export const hairpinSet = 'set hairpin-connections';

/** The table names endpoints of the node itself, whatever the policies are. */
export function namesOwnEndpoints({ name, chains }: RuleTable): boolean {
  return isProxyTable(name) && chains.has(hairpinSet);
}

/**
 * The elements of the set that the endpoints of a chain of a Service may have, as
 * `10.244.1.7 tcp 8080`: the elements themselves name no Service.
 */
export function hairpinKeys({ name, rules }: NftChain): readonly string[] {
  const { protocol } = nftChainName(name) ?? {};
  const protocols = protocol === undefined ? ['tcp', 'udp', 'sctp'] : [protocol];
  return rules
    .flatMap(({ statements }) => statements.flatMap(translatedTo))
    .flatMap(({ address, port }) => protocols.map((one) => `${address} ${one} ${port}`));
}

/** What an element of the set is for. */
export function hairpinKey({ key: [address, , protocol, port] }: NftElement): string {
  return `${address} ${protocol} ${port}`;
}
