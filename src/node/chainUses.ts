import { memoized } from '../common/memoized.ts';
import { isServiceChain } from '../netfilter/proxyChains.ts';
import { hasLines } from './chainLines.ts';
import type { RuleChain, RuleTable } from './nodeRules.ts';

/** A rule that leads to a chain. */
export interface ChainUse {
  readonly chain: RuleChain;
  readonly at: number;
}

/**
 * The first rule that leads to each of kube-proxy's chains in a table of iptables, by the chain's name, whether the
 * table has it or not. Read off the ends of lines: half a million need not be parsed for it.
 */
export const usesOf = memoized((table: RuleTable): ReadonlyMap<string, ChainUse> => {
  const uses = new Map<string, ChainUse>();
  let hasMarking = false;
  for (const chain of table.chains.values()) {
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
});

/** Chains of Services and endpoints that no rule leads to. */
export function staleChainsOf(table: RuleTable): readonly RuleChain[] {
  return targetsOf(table).stale;
}

/** Rules that lead to a chain which the table lacks, or which has no rules: the first for each such chain. */
export function* usesOfNoRules(table: RuleTable): Iterable<ChainUse & { name: string; target?: RuleChain }> {
  const uses = usesOf(table);
  const { empty, lacking } = targetsOf(table);
  // Nearly always every target has rules, or all but KUBE-NODEPORTS: a second look at a hundred thousand says no more.
  const [only] = empty;
  if (lacking === 0 && empty.length < 2) {
    if (only !== undefined) yield { ...(uses.get(only.name) as ChainUse), name: only.name, target: only };
    return;
  }
  for (const [name, use] of uses) {
    const target = table.chains.get(name);
    if (target === undefined) yield { ...use, name };
    else if (!hasLines(target)) yield { ...use, name, target };
  }
}

/** What rules lead to, as far as it is not as it should be. */
interface Targets {
  readonly stale: readonly RuleChain[];
  /** Chains without rules that rules lead to. */
  readonly empty: readonly RuleChain[];
  /** How many chains rules lead to that the table does not have. */
  readonly lacking: number;
}

const targetsOf = memoized((table: RuleTable): Targets => {
  const uses = usesOf(table);
  const stale: RuleChain[] = [];
  const empty: RuleChain[] = [];
  let lacking = uses.size;
  for (const chain of table.chains.values()) {
    if (uses.has(chain.name)) {
      lacking -= 1;
      if (!hasLines(chain)) empty.push(chain);
    } else if (isServiceChain(chain.name)) stale.push(chain);
  }
  return { stale, empty, lacking };
});

/** Half of all jumps lead there: of these no names are made but the first. */
const marking = 'KUBE-MARK-MASQ';
const lastLetter = marking.charCodeAt(marking.length - 1);

/** kube-proxy's chains are named at the end of a line: jumps have no options. */
function targetAt(text: string, end: number, hasMarking: boolean): string | undefined {
  if (hasMarking && text.charCodeAt(end - 1) === lastLetter && text.endsWith(` ${marking}`, end)) return undefined;
  const blank = text.lastIndexOf(' ', end - 1);
  const isJump = blank !== -1 && text.startsWith('KUBE-', blank + 1) && text.charCodeAt(blank - 2) === 0x2d;
  return isJump ? text.slice(blank + 1, end) : undefined;
}
