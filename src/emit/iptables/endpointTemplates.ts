import type { IptablesDialect } from '../../dialect/iptables/iptablesDialect.ts';
import type { RuleTemplate } from '../../netfilter/iptables/ruleTemplate.ts';
import type { NodePlan, ServicePlan } from '../../plan/plan.ts';
import { nameStore } from './nameStore.ts';
import { endpointPatterns } from './parts/endpointPatterns.ts';
import { patternTemplate } from './patternTemplate.ts';
import type { PatternWords } from './rulePattern.ts';
import { serviceLayout } from './serviceLayout.ts';

/**
 * The lines of iptables-save for each endpoint of a Service port, which are those of all ports of its protocol that have
 * affinity, or all that have none. Undefined: they are more than the words that are put into them.
 */
export function endpointTemplates(
  service: ServicePlan,
  node: NodePlan,
  dialect: IptablesDialect,
): readonly RuleTemplate<keyof PatternWords>[] | undefined {
  const layout = serviceLayout(service, node, dialect, { hasNfacct: false }, nameStore());
  const templates: (RuleTemplate<keyof PatternWords> | undefined)[] = [];
  endpointPatterns(layout, {
    chain: () => {},
    rule: () => {},
    pattern: (_table, _key, make) => {
      templates.push(patternTemplate(make, 'save', node.family));
      return () => {};
    },
  });
  const known = templates.filter((template) => template !== undefined);
  return known.length === templates.length ? known : undefined;
}
