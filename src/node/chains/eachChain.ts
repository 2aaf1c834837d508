import type { ServiceChainKind } from '../../netfilter/proxyChains.ts';
import type { RuleTable } from '../nodeRules.ts';
import type { RuleChain } from '../ruleChain.ts';
import type { ByteChains } from './byteChains.ts';
import { chainsInOrder } from './chainsInOrder.ts';

/** Which chains of Services a caller can use: some kinds, or those with some names. */
export type ChainChoice =
  | { readonly kinds: (kind: ServiceChainKind) => boolean }
  | { readonly names: () => Iterable<string> };

/** Chains that many Services share, and those of other programs. */
export const sharedChains: ChainChoice = { kinds: () => false };

/**
 * Goes through the chains of a table, in its order. A large node has a hundred thousand chains of Services: those that
 * the caller did not choose may be left out if making them takes time. All other chains always come.
 */
export function eachChain({ chains }: Pick<RuleTable, 'chains'>, choice?: ChainChoice): Iterable<RuleChain> {
  const { bytes } = chains;
  return bytes === undefined || choice === undefined ? chains.values() : chainsInOrder(bytes, numbersOf(bytes, choice));
}

function numbersOf(bytes: ByteChains, choice: ChainChoice): Iterable<number> {
  if ('kinds' in choice) return bytes.numbers((chain) => choice.kinds(bytes.kindOf(chain)));
  const numbers = Array.from(choice.names(), bytes.find).filter((chain) => chain !== -1);
  return numbers.sort((one, other) => one - other);
}
