import type { ChainDiff } from '../../compare/compareSets.ts';
import { ruleHead } from '../../netfilter/iptables/ruleHead.ts';
import { chainOfElement } from '../../netfilter/nft/chainsNamed.ts';
import { nftChainName } from '../../seen/names/nftChainName.ts';
import { serviceOfPort } from '../../seen/names/serviceOfPort.ts';
import type { UnknownTarget } from '../finding.ts';
import { portOfDifference } from './portOfDifference.ts';
import type { RuleDifference } from './ruleDifferences.ts';

/**
 * What a rule without a known Service serves: the Service that it or its chain names, otherwise its address, or a port
 * on all addresses. Undefined: it shows neither.
 */
export function unknownTarget(item: RuleDifference, diff: ChainDiff): UnknownTarget | undefined {
  const { chain, found } = diff;
  const service = serviceOfPort(portOfDifference(item, diff)) || nftService(item, chain);
  if (service !== undefined) return { kind: 'service', name: service };
  const { destination, destinationPort } = ruleHead(item.rule);
  const own = found?.content?.kind === 'virtualServer' ? found.content.service.address : undefined;
  const address =
    destination ?? destinationPort ?? elementAddress(item) ?? (own?.kind === 'address' ? own.ip : undefined);
  return address === undefined ? undefined : { kind: 'address', address };
}

function nftService({ content }: RuleDifference, chain: string): string | undefined {
  const [name = chain] = content?.kind === 'nftElement' ? chainOfElement(content.element) : [];
  return nftChainName(name)?.service;
}

/** For `10.96.0.1 . tcp . 80` the address, for `tcp . 30080` the port. */
function elementAddress({ content }: RuleDifference): string | undefined {
  if (content?.kind !== 'nftElement') return undefined;
  const { key } = content.element;
  return key.length === 3 ? key[0] : key[1];
}
