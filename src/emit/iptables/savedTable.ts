import { flatText } from '../../common/text/flatText.ts';
import { chainPrefixes, isServiceChain } from '../../netfilter/proxyChains.ts';
import { joinedTexts } from './joinedTexts.ts';

/** Lines of one table, grouped by chain while rules come in any order. */
export interface SavedTable {
  /** The chain exists, even if no rule follows. */
  readonly declare: (chain: string) => void;
  readonly push: (chain: string, line: string) => void;
  /**
   * The table as iptables-save prints it, in pieces: chains in byte order, rules in their original order. Chains of
   * endpoints come from `endpoints`.
   */
  readonly text: (name: string, builtin: readonly string[], endpoints?: SortedChains) => Iterable<string>;
  /** The same, where chains of Services come in blocks, and none of these names stands between two chains of a block. */
  readonly textWith: (name: string, builtin: readonly string[], blocks: readonly SavedBlock[]) => Iterable<string>;
}

/** Chains in byte order, as they are printed: at least one. */
export interface SavedBlock {
  readonly names: readonly string[];
  readonly heads: string;
  readonly rules: string;
}

/** Chains in byte order: their chain lines and their rules, in pieces. */
export interface SortedChains {
  readonly heads: Iterable<string>;
  readonly rules: Iterable<string>;
}

const none: SortedChains = { heads: [], rules: [] };

/** Long enough to keep few texts, short enough to join them soon. */
const mostOpen = 8 << 10;

/** The lines of a chain are joined as they arrive: garbage collection then copies fewer texts. */
export function savedTable(): SavedTable {
  const chains = new Map<string, KeptChain>();
  const chainOf = (name: string): KeptChain => {
    let own = chains.get(name);
    if (own === undefined) {
      own = { name, isOfService: isServiceChain(name), texts: [], open: '' };
      chains.set(name, own);
    }
    return own;
  };
  let current: KeptChain = { name: '', isOfService: false, texts: [], open: '' };
  return {
    declare: chainOf,
    push: (chain, line) => {
      if (chain !== current.name) {
        // The lines of one Service usually come together.
        if (current.isOfService) close(current);
        current = chainOf(chain);
      }
      current.open += line;
      current.open += '\n';
      if (current.open.length > mostOpen) close(current);
    },
    text: function* (name, builtin, endpoints = none) {
      for (const chain of chains.values()) close(chain);
      const sorted = [...chains.keys()].filter((chain) => !builtin.includes(chain)).sort();
      const behind = sorted.findIndex((chain) => chain > chainPrefixes.endpoint);
      const middle = behind === -1 ? sorted.length : behind;

      const textsOf = (names: readonly string[]) => names.flatMap((chain) => chains.get(chain)?.texts ?? []);
      yield `*${name}\n`;
      yield* joinedTexts(builtin.map((chain) => `:${chain} ACCEPT [0:0]\n`));
      yield* joinedTexts(sorted.slice(0, middle).map(chainLine));
      yield* endpoints.heads;
      yield* joinedTexts(sorted.slice(middle).map(chainLine));
      yield* joinedTexts(textsOf(builtin));
      yield* joinedTexts(textsOf(sorted.slice(0, middle)));
      yield* endpoints.rules;
      yield* joinedTexts(textsOf(sorted.slice(middle)));
      yield 'COMMIT\n';
    },
    textWith: function* (name, builtin, blocks) {
      for (const chain of chains.values()) close(chain);
      const textsOf = (chain: string) => chains.get(chain)?.texts ?? [];
      const shared = [...chains.keys()].filter((chain) => !builtin.includes(chain)).sort();
      yield `*${name}\n`;
      yield* joinedTexts(builtin.map((chain) => `:${chain} ACCEPT [0:0]\n`));
      for (const one of inOrder(shared, blocks)) yield typeof one === 'string' ? chainLine(one) : one.heads;
      yield* joinedTexts(builtin.flatMap(textsOf));
      for (const one of inOrder(shared, blocks)) {
        if (typeof one === 'string') yield* joinedTexts(textsOf(one));
        else yield one.rules;
      }
      yield 'COMMIT\n';
    },
  };
}

/** Single chains and blocks by name. */
function* inOrder(names: readonly string[], blocks: readonly SavedBlock[]): Iterable<string | SavedBlock> {
  let at = 0;
  for (const block of blocks) {
    for (let name = names[at]; name !== undefined && name < (block.names[0] as string); name = names[at]) {
      yield name;
      at += 1;
    }
    yield block;
  }
  yield* names.slice(at);
}

interface KeptChain {
  readonly name: string;
  readonly isOfService: boolean;
  /** Lines, each with its newline. */
  readonly texts: string[];
  /** Lines that are not among them yet. */
  open: string;
}

function close(chain: KeptChain): void {
  if (chain.open === '') return;
  chain.texts.push(flatText(chain.open));
  chain.open = '';
}

/** As iptables-save prints a chain that no packet has met. */
export function chainLine(chain: string): string {
  return `:${chain} - [0:0]\n`;
}
