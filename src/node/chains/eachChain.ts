import type { RuleTable } from '../nodeRules.ts';
import type { RuleChain } from '../ruleChain.ts';
import type { ByteChains } from './byteChains.ts';
import type { ChainChoice } from './chainChoice.ts';
import { chainsInOrder } from './chainsInOrder.ts';

/** Chains that many Services share, and those of other programs. */
export const sharedChains: ChainChoice = { kinds: () => false };

/** All but those in which a check of a chain by itself finds nothing. */
export const suspectChains: ChainChoice = { kinds: () => true, isForFaults: true };

/**
 * Goes through the chains of a table, in its order. A large node has a hundred thousand chains of Services: those that
 * the caller did not choose may be left out if making them takes time. All other chains always come.
 */
export function eachChain({ chains }: Pick<RuleTable, 'chains'>, choice?: ChainChoice): Iterable<RuleChain> {
  const { bytes, some } = chains;
  if (some !== undefined && choice !== undefined) return some(choice);
  return bytes === undefined || choice === undefined ? chains.values() : chainsInOrder(bytes, numbersOf(bytes, choice));
}

function numbersOf(bytes: ByteChains, choice: ChainChoice): Iterable<number> {
  if ('kinds' in choice) {
    const { kinds, isForFaults } = choice;
    return bytes.numbers((chain) => kinds(bytes.kindOf(chain)) && !(isForFaults && bytes.isUsual(chain)));
  }
  const numbers = Array.from(choice.names(), bytes.find).filter((chain) => chain !== -1);
  return numbers.sort((one, other) => one - other);
}
