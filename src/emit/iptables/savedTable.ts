import { chainPrefixes } from '../../netfilter/proxyChains.ts';
import { endpointOrder } from './endpointOrder.ts';
import { lineRuns } from './lineRuns.ts';
import { lineStore, textOf } from './lineStore.ts';

/** Lines of one table, gathered by chain while rules come in any order. */
export interface SavedTable {
  /** The chain exists, even if no rule comes. */
  readonly declare: (chain: string) => void;
  readonly push: (chain: string, line: string) => void;
  /** The table as iptables-save prints it, in pieces: chains in byte order, rules in the order they came. */
  readonly text: (name: string, builtin: readonly string[]) => Iterable<string>;
}

const endpointPrefix = chainPrefixes.endpoint;

/**
 * A large cluster has a chain for every endpoint, and what is kept of each counts. So these have no map: their rules are
 * kept as bytes, and sorted by the names that stand in them. There is no other chain whose name begins like theirs.
 */
export function savedTable(): SavedTable {
  const runs = lineRuns();
  const named = new Map<string, number[]>();
  const endpoints: number[] = [];
  let current = '';
  const runsOf = (chain: string): number[] => {
    let own = named.get(chain);
    if (own === undefined) {
      own = [];
      named.set(chain, own);
    }
    return own;
  };
  return {
    declare: (chain) => {
      // An endpoint's chain always has rules: nothing is lost where its declaration is not kept.
      if (!chain.startsWith(endpointPrefix)) runsOf(chain);
    },
    push: (chain, line) => {
      const isNew = chain !== current;
      current = chain;
      const run = runs.push(line, isNew);
      if (run === undefined) return;
      if (chain.startsWith(endpointPrefix)) endpoints.push(run);
      else runsOf(chain).push(run);
    },
    text: function* (name, builtin) {
      const sorted = [...named.keys()].filter((chain) => !builtin.includes(chain)).sort();
      const behind = sorted.findIndex((chain) => chain > endpointPrefix);
      const middle = behind === -1 ? sorted.length : behind;
      const ordered = endpointOrder(endpoints, runs);

      const head = lineStore();
      head.push(`*${name}`);
      for (const chain of builtin) head.push(`:${chain} ACCEPT [0:0]`);
      for (const chain of sorted.slice(0, middle)) head.push(chainLine(chain));
      yield* textOf(head.takeRanges());
      yield* runs.heads(ordered, endpointPrefix.length + 16);
      for (const chain of sorted.slice(middle)) head.push(chainLine(chain));
      yield* textOf(head.takeRanges());

      const rulesOf = (chains: readonly string[]) => chains.flatMap((chain) => named.get(chain) ?? []);
      yield* runs.text(rulesOf(builtin));
      yield* runs.text(rulesOf(sorted.slice(0, middle)));
      yield* runs.text(ordered);
      yield* runs.text(rulesOf(sorted.slice(middle)));
      yield 'COMMIT\n';
    },
  };
}

function chainLine(chain: string): string {
  return `:${chain} - [0:0]`;
}
