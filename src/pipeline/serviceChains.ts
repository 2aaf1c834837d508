import { newChain, type TableDraft } from '../node/chainDraft.ts';
import type { RuleChain, RuleTable } from '../node/nodeRules.ts';

/** Takes the chains of Services, one Service port after the other. */
export interface ServiceChains {
  /** A chain of the Service port at hand; what is added to its text is in the chain. */
  readonly textOf: (chain: string) => ChainText;
  /** The Service port is done: all lines of its chains are known. */
  readonly end: (owner: string | undefined) => void;
}

/** Lines, each with a line break before it: one text is made for a chain, which is faster than one for each line. */
export interface ChainText {
  text: string;
}

/**
 * A large cluster has a chain for every endpoint, and nearly all are on the node as they should be: where `found` has
 * the very text, its own chain goes into `equal`, and nothing of what was made is kept. Others go into `table`, with
 * their owner.
 */
export function serviceChains(table: TableDraft, found: RuleTable | undefined, equal: Set<RuleChain>): ServiceChains {
  const open = new Map<string, ChainText>();
  return {
    textOf: (chain) => {
      let own = open.get(chain);
      if (own === undefined) {
        own = { text: '' };
        open.set(chain, own);
      }
      return own;
    },
    end: (owner) => {
      for (const [name, own] of open) {
        const text = own.text.slice(1);
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
