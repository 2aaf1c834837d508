import { numberAt } from '../lines/chainLines.ts';
import type { RuleChain } from '../ruleChain.ts';
import type { ByteChains } from './byteChains.ts';

/** Chains of one table in its order: of those in bytes only these, which are made for it, and the wanted others. */
export function* chainsInOrder(
  bytes: ByteChains,
  numbers: Iterable<number>,
  isWantedOther: (chain: RuleChain) => boolean = () => true,
): Generator<RuleChain, undefined> {
  const others = [...bytes.others.values()].filter(isWantedOther);
  let next = 0;
  for (const number of numbers) {
    for (; next < others.length; next += 1) {
      const other = others[next] as RuleChain;
      if (firstNamed(other) > bytes.lineOf(number)) break;
      yield other;
    }
    yield bytes.chainAt(number);
  }
  for (; next < others.length; next += 1) yield others[next] as RuleChain;
  return undefined;
}

/** The line that names a chain first, unless the declaration follows the rules. */
export function firstNamed(chain: RuleChain): number {
  return chain.declaredAt || numberAt(chain, 0);
}
