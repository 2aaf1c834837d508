import { newChain, type TableDraft } from '../node/chainDraft.ts';
import type { RuleChain, RuleTable } from '../node/nodeRules.ts';

/** Takes the chains of Services, one Service port after the other. */
export interface ServiceChains {
  /** The lines of a chain of the Service port at hand: what is pushed there is in the chain. */
  readonly linesFor: (chain: string) => string[];
  /** The Service port is done: all lines of its chains are known. */
  readonly end: (owner: string | undefined) => void;
}

/**
 * A large cluster has a chain for every endpoint, and nearly all are on the node as they should be: where `found` has
 * the very text, its own chain goes into `equal`, and nothing of what was made is kept. Others go into `table`, with
 * their owner.
 */
export function serviceChains(table: TableDraft, found: RuleTable | undefined, equal: Set<RuleChain>): ServiceChains {
  const open = new Map<string, string[]>();
  return {
    linesFor: (chain) => {
      let lines = open.get(chain);
      if (lines === undefined) {
        lines = [];
        open.set(chain, lines);
      }
      return lines;
    },
    end: (owner) => {
      for (const [name, lines] of open) {
        const text = lines.join('\n');
        const twin = found?.chains.get(name);
        if (twin !== undefined && twin.text === text) {
          equal.add(twin);
          continue;
        }
        const chain = newChain(name, '');
        chain.isDeclared = true;
        chain.text = text;
        if (owner !== undefined) chain.owner = owner;
        table.chains.set(name, chain);
      }
      open.clear();
    },
  };
}
