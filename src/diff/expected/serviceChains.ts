import { addBlock, hasText } from '../../node/chainLines.ts';
import { newChain, type RuleTable } from '../../node/nodeRules.ts';
import type { ServicePlan } from '../../plan/plan.ts';

/** Takes the chains of Services, one service port after the other. */
export interface ServiceChains {
  /** The lines of a chain of the service port that is walked: what is pushed there is in the chain. */
  readonly linesFor: (chain: string) => string[];
  /** The service port is done: all lines of its chains are known. */
  readonly end: (owner: ServicePlan | undefined) => void;
}

/**
 * A large cluster has a chain for every endpoint, and nearly all are on the node as they should be: where `dumped` has
 * the very text, its own chain is marked to stand for the expected one, and nothing is kept of what was made. Others are
 * put into `table`, with their owner.
 */
export function serviceChains(table: RuleTable, dumped: RuleTable | undefined): ServiceChains {
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
        const twin = dumped?.chains.get(name);
        if (twin !== undefined && hasText(twin, text)) {
          twin.expectedIn = table;
          continue;
        }
        const chain = newChain(name, '');
        chain.isDeclared = true;
        if (owner !== undefined) chain.owner = owner;
        if (text !== '') addBlock(chain, text, 0);
        table.chains.set(name, chain);
      }
      open.clear();
    },
  };
}
