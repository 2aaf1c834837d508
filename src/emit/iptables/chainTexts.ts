import { addTo } from '../../common/addTo.ts';
import { pushAll } from '../../common/pushAll.ts';
import { type LineRange, lineStore } from './lineStore.ts';

/** Lines of one table, gathered by chain while rules come in any order. */
export interface ChainTexts {
  /** The chain exists, even if no rule comes. */
  readonly declare: (chain: string) => void;
  readonly push: (chain: string, line: string) => void;
  /** Every chain once, in byte order, with its lines in the order they came. Can be asked for once. */
  readonly sorted: () => readonly ChainText[];
}

export interface ChainText {
  readonly chain: string;
  readonly lines: readonly LineRange[];
}

/** Letters that name a bucket: the longest prefix of chain names (`KUBE-SEP-`) and three characters of the hash. */
const bucketLetters = 12;

/**
 * A large cluster has a chain for every endpoint. So there is no map of chains: runs of lines of one chain go into
 * buckets by the start of the name, and only inside a bucket names are compared.
 */
export function chainTexts(): ChainTexts {
  const buckets = new Map<string, Run[]>();
  const store = lineStore();
  let current = '';

  const add = (chain: string, lines: readonly LineRange[]) => {
    const key = chain.length > bucketLetters ? chain.slice(0, bucketLetters) : chain;
    addTo(buckets, key, { chain, lines });
  };
  const endRun = () => {
    if (current !== '') add(current, store.takeRanges());
    current = '';
  };
  return {
    declare: (chain) => {
      // An endpoint's chain always has rules: nothing is lost where its declaration is not kept.
      if (!chain.startsWith('KUBE-SEP-')) add(chain, none);
    },
    push: (chain, line) => {
      if (chain !== current) {
        endRun();
        current = chain;
      }
      store.push(line);
    },
    sorted: () => {
      endRun();
      const chains: { chain: string; lines: LineRange[] }[] = [];
      for (const key of [...buckets.keys()].sort()) {
        // Stable: the runs of one chain keep their order.
        const bucket = (buckets.get(key) as Run[]).sort((a, b) => (a.chain < b.chain ? -1 : a.chain > b.chain ? 1 : 0));
        for (const { chain, lines } of bucket) {
          const last = chains.at(-1);
          if (last?.chain !== chain) chains.push({ chain, lines: [...lines] });
          else pushAll(last.lines, lines);
        }
      }
      return chains;
    },
  };
}

const none: readonly LineRange[] = [];

interface Run {
  readonly chain: string;
  readonly lines: readonly LineRange[];
}
