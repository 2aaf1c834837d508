import type { RuleTable } from '../nodeRules.ts';
import type { RuleChain } from '../ruleChain.ts';
import type { ByteChains } from './byteChains.ts';
import { chainsInOrder } from './chainsInOrder.ts';

/** Chains found on a node that are as they should be. */
export interface EqualChains {
  readonly has: (chain: RuleChain) => boolean;
  /** All other chains of a table, in its order. */
  readonly othersOf: (table: RuleTable) => Iterable<RuleChain>;
}

/** The same while it is being made. */
export interface EqualChainsDraft extends EqualChains {
  /** Takes a chain of a table if it has exactly this text. */
  readonly take: (table: RuleTable, name: string, text: string) => boolean;
  /** Takes a chain in bytes that is known to be as it should be. */
  readonly takeNumber: (bytes: ByteChains, chain: number) => void;
}

export function equalChains(): EqualChainsDraft {
  const taken = new Set<RuleChain>();
  const takenOf = new Map<ByteChains, Uint8Array>();
  const has = (chain: RuleChain) => taken.has(chain) || [...takenOf].some(([bytes, own]) => isAmong(bytes, own, chain));
  return {
    has,
    othersOf: ({ chains }) => {
      const { bytes } = chains;
      if (bytes === undefined) return [...chains.values()].filter((chain) => !has(chain));
      const own = takenOf.get(bytes);
      return chainsInOrder(
        bytes,
        bytes.numbers((chain) => own?.[chain] !== 1),
        (chain) => !taken.has(chain),
      );
    },
    take: ({ chains }, name, text) => {
      const { bytes } = chains;
      const number = bytes?.find(name) ?? -1;
      if (bytes === undefined || number === -1) {
        const twin = (bytes?.others ?? chains).get(name);
        const isSame = twin?.text === text;
        if (isSame) taken.add(twin);
        return isSame;
      }
      const isSame = bytes.hasText(number, text);
      if (isSame) marksOf(takenOf, bytes)[number] = 1;
      return isSame;
    },
    takeNumber: (bytes, chain) => {
      marksOf(takenOf, bytes)[chain] = 1;
    },
  };
}

function marksOf(takenOf: Map<ByteChains, Uint8Array>, bytes: ByteChains): Uint8Array {
  let own = takenOf.get(bytes);
  if (own === undefined) {
    own = new Uint8Array(bytes.end);
    takenOf.set(bytes, own);
  }
  return own;
}

function isAmong(bytes: ByteChains, own: Uint8Array, chain: RuleChain): boolean {
  const number = bytes.find(chain.name);
  return number !== -1 && own[number] === 1 && bytes.chainAt(number) === chain;
}
