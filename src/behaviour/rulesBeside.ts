import type { NodeRules } from '../node/nodeRules.ts';
import { partsNotShown } from './partsNotShown.ts';
import { withForeignRules } from './withForeignRules.ts';

/**
 * Expected rules as they would be on the node of a dump, beside rules of other programs, without a table that the dump does not show:
 * it was not given, and is not lost. `leftAlone`: as for these rules.
 */
export function rulesBeside(expected: NodeRules, dump: NodeRules, leftAlone: readonly string[]): NodeRules {
  const all = withForeignRules(expected, dump, leftAlone);
  const hidden = partsNotShown(expected, dump).flatMap(({ family, part }) => (part === 'filter' ? family : []));
  if (hidden.length === 0) return all;
  return {
    ...all,
    iptables: all.iptables.map((rules) =>
      hidden.includes(rules.family)
        ? { ...rules, tables: new Map([...rules.tables].filter(([name]) => name !== 'filter')) }
        : rules,
    ),
  };
}
