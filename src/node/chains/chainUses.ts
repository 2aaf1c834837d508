import { memoized } from '../../common/memoized.ts';
import { isServiceChain } from '../../netfilter/proxyChains.ts';
import { hasLines } from '../lines/chainLines.ts';
import type { RuleTable } from '../nodeRules.ts';
import type { RuleChain } from '../ruleChain.ts';
import { chainsInOrder } from './chainsInOrder.ts';
import type { ChainUse } from './chainUse.ts';

/**
 * The first rule that leads to each of kube-proxy's chains in a table of iptables, by the chain's name, whether or not
 * the table has the chain. The names are read off the ends of lines, so half a million lines need no parsing. Of the
 * chains in bytes, it has only those that rules of other chains lead to: see `isUsed`.
 */
export const usesOf = memoized((table: RuleTable): ReadonlyMap<string, ChainUse> => {
  const { bytes } = table.chains;
  const uses = usesIn(textChains(table).values());
  if (bytes === undefined) return uses;
  for (const [name, use] of bytes.uses().others) {
    const other = uses.get(name);
    if (other === undefined || bytes.rankOf(use.chain) < bytes.rankOf(other.chain)) uses.set(name, use);
  }
  return uses;
});

function usesIn(chains: Iterable<RuleChain>): Map<string, ChainUse> {
  const uses = new Map<string, ChainUse>();
  let hasMarking = false;
  for (const chain of chains) {
    const { text } = chain;
    for (let from = 0, at = 0; from < text.length; at += 1) {
      let end = text.indexOf('\n', from);
      if (end === -1) end = text.length;
      const name = targetAt(text, end, hasMarking);
      if (name !== undefined && !uses.has(name)) {
        uses.set(name, { chain, at });
        hasMarking ||= name === marking;
      }
      from = end + 1;
    }
  }
  return uses;
}

/** The first rule that leads to a chain, also from one chain in bytes to another. */
export function useOf(table: RuleTable, name: string): ChainUse | undefined {
  return usesOf(table).get(name) ?? usesInBytes(table).get(name);
}

/** Rules of endpoints lead to none of these. */
const usesInBytes = memoized(({ chains: { bytes } }: RuleTable): ReadonlyMap<string, ChainUse> => {
  if (bytes === undefined) return new Map();
  const calling = Array.from(bytes.numbers((chain) => bytes.kindOf(chain) !== 'endpoint'));
  return usesIn(calling.map(bytes.chainAt));
});

/** A rule leads to the chain. */
export function isUsed(table: RuleTable, name: string): boolean {
  if (usesOf(table).has(name)) return true;
  const { bytes } = table.chains;
  const number = bytes?.find(name) ?? -1;
  return number !== -1 && bytes?.uses().isUsed(number) === true;
}

/** Chains of Services and endpoints that no rule leads to. */
export function staleChainsOf(table: RuleTable): readonly RuleChain[] {
  return targetsOf(table).stale;
}

/** Rules that lead to a chain that does not exist in the table or has no rules: the first for each such chain. */
export function* usesOfNoRules(table: RuleTable): Iterable<ChainUse & { name: string; target?: RuleChain }> {
  const uses = usesOf(table);
  const { empty, lacking } = targetsOf(table);
  // Nearly always every target except perhaps KUBE-NODEPORTS has rules: then there is no need to look at a hundred
  // thousand again.
  const [only] = empty;
  if (lacking === 0 && empty.length < 2) {
    if (only !== undefined) yield { ...(uses.get(only.name) as ChainUse), name: only.name, target: only };
    return;
  }
  const { bytes } = table.chains;
  const found: (ChainUse & { readonly name: string; readonly target?: RuleChain })[] = [];
  for (const [name, use] of uses) {
    // Chains in bytes always have rules.
    const target = textChains(table).get(name);
    if (target !== undefined ? hasLines(target) : bytes !== undefined && bytes.find(name) !== -1) continue;
    found.push({ ...use, name, ...(target && { target }) });
  }
  const rank = ({ chain }: ChainUse) => bytes?.rankOf(chain) ?? 0;
  yield* bytes === undefined ? found : found.sort((one, other) => rank(one) - rank(other) || one.at - other.at);
}

/** Chains that rules lead to and that are missing or empty. */
interface Targets {
  readonly stale: readonly RuleChain[];
  /** Chains without rules that rules lead to. */
  readonly empty: readonly RuleChain[];
  /** How many chains that rules lead to are missing in the table. */
  readonly lacking: number;
}

const targetsOf = memoized((table: RuleTable): Targets => {
  const uses = usesOf(table);
  const { bytes } = table.chains;
  const stale: RuleChain[] = [];
  const empty: RuleChain[] = [];
  let lacking = uses.size;
  for (const chain of textChains(table).values()) {
    if (uses.has(chain.name)) {
      lacking -= 1;
      if (!hasLines(chain)) empty.push(chain);
    } else if (isServiceChain(chain.name)) stale.push(chain);
  }
  if (bytes === undefined) return { stale, empty, lacking };
  // All of these have rules.
  const used = new Set(Array.from(uses.keys(), bytes.find));
  used.delete(-1);
  const inBytes = bytes.uses();
  const isStale = (chain: number) => !inBytes.isUsed(chain) && !used.has(chain);
  const others = new Set(stale);
  return {
    stale: [...chainsInOrder(bytes, bytes.numbers(isStale), (chain) => others.has(chain))],
    empty,
    lacking: lacking - used.size,
  };
});

/** The chains of a table that are not in bytes: in most tables, all of them. */
function textChains({ chains }: RuleTable): ReadonlyMap<string, RuleChain> {
  return chains.bytes?.others ?? chains;
}

/** Half of all jumps lead there: only the first makes a name. */
const marking = 'KUBE-MARK-MASQ';
const lastLetter = marking.charCodeAt(marking.length - 1);

/** kube-proxy's chains are named at the end of a line: jumps have no options. */
function targetAt(text: string, end: number, hasMarking: boolean): string | undefined {
  if (hasMarking && text.charCodeAt(end - 1) === lastLetter && text.endsWith(` ${marking}`, end)) return undefined;
  const blank = text.lastIndexOf(' ', end - 1);
  const isJump = blank !== -1 && text.startsWith('KUBE-', blank + 1) && text.charCodeAt(blank - 2) === 0x2d;
  return isJump ? text.slice(blank + 1, end) : undefined;
}
