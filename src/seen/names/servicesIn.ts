import type { ToolRules } from '../../node/nodeRules.ts';
import { servicesByLine } from './servicesByLine.ts';

interface Place {
  /** The only table to search. */
  readonly table?: string;
  readonly chains: readonly string[];
}

/** Services (`namespace/name`) that iptables rules name in their comments, in all chains or in some. */
export function servicesIn(sets: readonly ToolRules[], place?: Place): ReadonlySet<string> {
  const services = new Set<string>();
  for (const { tables } of sets) {
    for (const { name: table, chains } of tables.values()) {
      if (place?.table !== undefined && place.table !== table) continue;
      for (const chain of place?.chains.map((name) => chains.get(name)) ?? chains.values()) {
        for (const name of servicesByLine(chain)) if (name !== '') services.add(name);
      }
    }
  }
  return services;
}
