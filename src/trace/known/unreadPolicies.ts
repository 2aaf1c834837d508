import type { OtherPolicy } from '../../model/policyModel.ts';
import type { NodeRules } from '../../node/nodeRules.ts';
import { foreignOwner } from '../../node/programs/foreignPrograms.ts';

/** Policies without rules in the dump. Calico writes its own as iptables rules, which are walked like all others. */
export function unreadPolicies(all: readonly OtherPolicy[], { iptables }: NodeRules): readonly OtherPolicy[] {
  if (all.length === 0) return all;
  const hasCalico = iptables.some(({ tables }) =>
    [...(tables.get('filter')?.chains.keys() ?? [])].some((chain) => foreignOwner(chain) === 'calico'),
  );
  return hasCalico ? all.filter(({ server }) => server !== 'Calico') : all;
}
