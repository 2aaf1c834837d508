import { newChain, type TableDraft } from '../../node/chains/chainDraft.ts';
import type { EqualChainsDraft } from '../../node/chains/equalChains.ts';
import type { RuleTable } from '../../node/nodeRules.ts';

/** Takes the chains of Services, one Service port after another. */
export interface ServiceChains {
  /** Appends lines to a chain of the current Service port, which exists from the first call on. */
  readonly adderOf: (chain: string) => (line: string) => void;
  /** The Service port is done: all lines of its chains are known, and are passed to `keep`. */
  readonly end: (owner: string | undefined, keep?: (name: string, text: string) => void) => void;
  /** Takes a whole chain. */
  readonly put: (owner: string | undefined, name: string, text: string) => void;
}

interface OtherChains {
  readonly found: RuleTable | undefined;
  readonly equal: EqualChainsDraft;
  readonly like: RuleTable | undefined;
}

/**
 * A large cluster has a chain for every endpoint, and nearly all are on the node as they should be: if `found` has the
 * same text, its own chain goes into `equal`, and the new one is dropped. Others go into `table`, with their owner. If
 * `like` has the same text, it is kept once for both.
 */
export function serviceChains(table: TableDraft, { found, equal, like }: OtherChains): ServiceChains {
  const open = new Map<string, OpenChain>();
  const put = (owner: string | undefined, name: string, text: string) => {
    if (found !== undefined && equal.take(found, name, text)) return;
    const twin = like?.chains.get(name);
    const chain = newChain(twin?.name ?? name, '');
    chain.isDeclared = true;
    chain.text = twin?.text === text ? twin.text : text;
    if (owner !== undefined) chain.owner = owner;
    table.chains.set(chain.name, chain);
  };
  return {
    adderOf: (chain) => {
      let own = open.get(chain);
      if (own === undefined) {
        own = { text: '' };
        open.set(chain, own);
      }
      const to = own;
      return (line) => {
        to.text = to.text === '' ? line : `${to.text}\n${line}`;
      };
    },
    put,
    end: (owner, keep) => {
      for (const [name, { text }] of open) {
        put(owner, name, text);
        keep?.(name, text);
      }
      open.clear();
    },
  };
}

/** A chain while its lines arrive: they are joined when they are compared. */
interface OpenChain {
  text: string;
}
