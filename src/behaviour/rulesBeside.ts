import type { Family } from '../common/addresses/family.ts';
import type { NodeRules } from '../node/nodeRules.ts';
import { type NotShown, partsNotShown } from './partsNotShown.ts';
import { withForeignRules } from './withForeignRules.ts';

/** Expected rules as they can be compared with those of a node. */
export interface RulesBeside {
  readonly rules: NodeRules;
  /** Of which the node shows enough to compare packets: without the table filter, translations still are. */
  readonly families: readonly Family[];
  /** What was not given of the node, and is not lost. */
  readonly notShown: readonly NotShown[];
}

/**
 * Expected rules as they would be on the node of a dump, beside rules of other programs, without a table filter that the dump does
 * not show. `leftAlone`: as for these rules.
 */
export function rulesBeside(expected: NodeRules, dump: NodeRules, leftAlone: readonly string[]): RulesBeside {
  const notShown = partsNotShown(expected, dump);
  const familiesOf = (isAsked: (part: NotShown['part']) => boolean) =>
    notShown.flatMap(({ family, part }) => (isAsked(part) ? family : []));
  const hidden = familiesOf((part) => part !== 'filter');
  return {
    rules: withoutFilter(
      withForeignRules(expected, dump, leftAlone),
      familiesOf((part) => part === 'filter'),
    ),
    families: (['ipv4', 'ipv6'] as const).filter((family) => !hidden.includes(family)),
    notShown,
  };
}

function withoutFilter(rules: NodeRules, families: readonly Family[]): NodeRules {
  if (families.length === 0) return rules;
  return {
    ...rules,
    iptables: rules.iptables.map((tool) =>
      families.includes(tool.family)
        ? { ...tool, tables: new Map([...tool.tables].filter(([name]) => name !== 'filter')) }
        : tool,
    ),
  };
}
