import { isServiceChain } from '../netfilter/proxyChains.ts';
import { eachChain, sharedChains } from '../node/chains/eachChain.ts';
import { linesOf } from '../node/lines/chainLines.ts';
import type { NodeRules, RuleTable } from '../node/nodeRules.ts';
import type { RuleChain } from '../node/ruleChain.ts';
import { targetName } from '../node/rulesOf.ts';
import { withTables } from '../node/withTables.ts';
import { servicesByLine } from '../seen/names/servicesByLine.ts';
import { withoutLines } from './withoutLines.ts';
import { withoutNftServices } from './withoutNftServices.ts';

/**
 * What a node holds of a few Services (`namespace/name`), and what belongs to none, in modes whose rules name them. Unlike
 * `withoutOtherServices` it leaves out all chains of Services that theirs do not lead to, and so passes the others by: of
 * half a million rules no more than those of shared chains are looked at, by their text.
 */
export function onlyServices(node: NodeRules, services: ReadonlySet<string>): NodeRules {
  const isOther = (service: string | undefined) => service !== undefined && !services.has(service);
  return {
    ...node,
    iptables: node.iptables.map((rules) => withTables(rules, (table) => iptablesTable(table, isOther))),
    nft: node.nft.map((rules) => withTables(rules, (table) => withoutNftServices(table, isOther, false))),
  };
}

function iptablesTable(table: RuleTable, isOther: (service: string | undefined) => boolean): RuleTable {
  const chains = new Map<string, RuleChain>();
  const targets = new Set<string>();
  for (const chain of eachChain(table, sharedChains)) {
    const { name } = chain;
    if (isServiceChain(name)) continue;
    const away = new Set<number>();
    const named = servicesByLine(chain);
    for (const [at, line] of linesOf(chain).entries()) {
      const service = named[at] as string;
      if (service !== '' && isOther(service)) away.add(at);
      else targets.add(targetName(line));
    }
    chains.set(name, away.size === 0 ? chain : withoutLines(chain, away));
  }
  // The set grows while it is walked.
  for (const name of targets) {
    const chain = isServiceChain(name) ? table.chains.get(name) : undefined;
    if (chain === undefined) continue;
    chains.set(name, chain);
    for (const line of linesOf(chain)) targets.add(targetName(line));
  }
  return { ...table, chains };
}
