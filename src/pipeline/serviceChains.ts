import { newChain, type TableDraft } from '../node/chainDraft.ts';
import type { RuleChain, RuleTable } from '../node/nodeRules.ts';

/** Takes the chains of Services, one Service port after the other. */
export interface ServiceChains {
  /** Puts lines at the end of a chain of the Service port at hand, which is there from the first call on. */
  readonly adderOf: (chain: string) => (line: string) => void;
  /** The Service port is done: all lines of its chains are known. */
  readonly end: (owner: string | undefined) => void;
}

/**
 * A large cluster has a chain for every endpoint, and nearly all are on the node as they should be: where `found` has
 * the very text, its own chain goes into `equal`, and nothing of what was made is kept. Others go into `table`, with
 * their owner.
 */
export function serviceChains(table: TableDraft, found: RuleTable | undefined, equal: Set<RuleChain>): ServiceChains {
  const open = new Map<string, OpenChain>();
  return {
    adderOf: (chain) => {
      let own = open.get(chain);
      if (own === undefined) {
        own = openChain(found?.chains.get(chain));
        open.set(chain, own);
      }
      return own.add;
    },
    end: (owner) => {
      for (const [name, { twin, text }] of open) {
        const made = text();
        if (twin !== undefined && made === twin.text) {
          equal.add(twin);
          continue;
        }
        const chain = newChain(name, '');
        chain.isDeclared = true;
        chain.text = made;
        if (owner !== undefined) chain.owner = owner;
        table.chains.set(name, chain);
      }
      open.clear();
    },
  };
}

/** A chain while its lines come. */
interface OpenChain {
  /** The chain of the same name that was found. */
  readonly twin: RuleChain | undefined;
  readonly add: (line: string) => void;
  /** Of a chain as it was found the very text. */
  readonly text: () => string;
}

/** Each line is compared with the twin's as it comes: of those that are equal no text is made. */
function openChain(twin: RuleChain | undefined): OpenChain {
  const known = twin?.text ?? '';
  let matched = 0;
  let isTwin = known !== '';
  let text = '';
  return {
    twin,
    add: (line) => {
      if (isTwin) {
        const end = matched + line.length;
        if (known.startsWith(line, matched) && (end === known.length || known.charCodeAt(end) === lineBreak)) {
          matched = end + 1;
          return;
        }
        isTwin = false;
        if (matched > 0) text = `\n${known.slice(0, matched - 1)}`;
      }
      // One text is made for a chain, which is faster than one for each line.
      text += `\n${line}`;
    },
    text: () => (!isTwin ? text.slice(1) : matched > known.length ? known : known.slice(0, Math.max(0, matched - 1))),
  };
}

const lineBreak = 0x0a;
