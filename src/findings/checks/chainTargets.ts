import { isServiceChain } from '../../node/foreignPrograms.ts';
import type { ChainUse, RuleChain, RuleTable } from '../../node/nodeRules.ts';

/**
 * Finds for every chain of a table the first rule that leads to it. Returned are such rules that lead to a chain which is
 * not there, by its name. Read off the ends of lines, without splitting them.
 */
export function targetsOf(table: RuleTable): ReadonlyMap<string, ChainUse> {
  if (table.lost !== undefined) return table.lost;
  const lost = new Map<string, ChainUse>();
  const add = (text: string, end: number, chain: RuleChain, at: number) => {
    const name = targetAt(text, end);
    if (name === undefined) return;
    const target = table.chains.get(name);
    if (target !== undefined) target.user ??= { chain, at };
    else if (!lost.has(name)) lost.set(name, { chain, at });
  };
  let hasEndpoint = false;
  for (const chain of table.chains.values()) {
    if (chain.expectedIn !== undefined && chain.name.startsWith('KUBE-SEP-')) {
      // As it should be it leads to KUBE-MARK-MASQ alone: the first says it for half of the text.
      if (hasEndpoint) continue;
      hasEndpoint = true;
    }
    if (chain.own !== undefined) {
      for (const [at, line] of chain.own.entries()) add(line, line.length, chain, at);
      continue;
    }
    const { block } = chain;
    for (let from = 0, at = 0; from < block.length; at += 1) {
      let end = block.indexOf('\n', from);
      if (end === -1) end = block.length;
      add(block, end, chain, at);
      from = end + 1;
    }
  }
  table.lost = lost;
  return lost;
}

/** The first rule of the table that leads to the chain of this name. */
export function userOf(table: RuleTable, name: string): ChainUse | undefined {
  const lost = targetsOf(table);
  const chain = table.chains.get(name);
  return chain === undefined ? lost.get(name) : chain.user;
}

/** Chains of Services and endpoints that no rule leads to. */
export function staleChainsOf(table: RuleTable): readonly RuleChain[] {
  targetsOf(table);
  return [...table.chains.values()].filter((chain) => chain.user === undefined && isServiceChain(chain.name));
}

/** kube-proxy's chains are named at the end of a line: jumps have no options. */
function targetAt(text: string, end: number): string | undefined {
  const blank = text.lastIndexOf(' ', end - 1);
  const isJump = blank !== -1 && text.startsWith('KUBE-', blank + 1) && text.charCodeAt(blank - 2) === 0x2d;
  return isJump ? text.slice(blank + 1, end) : undefined;
}
