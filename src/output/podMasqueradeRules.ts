import type { Family } from '../common/addresses/family.ts';
import { podMasqueradeRule } from '../emit/podMasquerade.ts';
import type { Rule, Ruleset } from '../netfilter/iptables/ast.ts';
import type { OutputOptions } from './outputOptions.ts';

/** The rules of a family that masquerade Pods; none unless they are asked for. */
export function podMasqueradeRules({ masqueradedPods = [] }: OutputOptions, family: Family): readonly Rule[] {
  return masqueradedPods.filter((pods) => pods.family === family).map(podMasqueradeRule);
}

/** What iptables-save shows with these rules behind kube-proxy's. */
export function withPodMasqueradeRules(saved: Ruleset, options: OutputOptions): Ruleset {
  const rules = podMasqueradeRules(options, saved.family);
  if (rules.length === 0) return saved;
  const tables = saved.tables.map((table) =>
    table.name === 'nat' ? { ...table, rules: [...table.rules, ...rules] } : table,
  );
  return { ...saved, tables };
}
