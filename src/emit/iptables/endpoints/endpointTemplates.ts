import type { IptablesDialect } from '../../../dialect/iptables/iptablesDialect.ts';
import type { RuleTemplate } from '../../../netfilter/iptables/print/ruleTemplate.ts';
import type { NodePlan, ServicePlan } from '../../../plan/plan.ts';
import { nameStore } from '../nameStore.ts';
import { endpointPatterns } from '../parts/endpointPatterns.ts';
import { patternTemplate } from '../patterns/patternTemplate.ts';
import type { PatternWords } from '../patterns/rulePattern.ts';
import { serviceLayout } from '../serviceLayout.ts';

/**
 * The iptables-save lines for each endpoint of a Service port; all ports with its protocol and with (or without)
 * affinity share them. Undefined: the lines do not consist only of fixed text and inserted words.
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
