import type { ClusterPolicy, ClusterRule } from '../../model/clusterPolicy.ts';
import type { Direction } from '../../model/netPolicy.ts';

/** Rules of a tier that stand one behind the other and do the same: among them the order does not matter. */
export interface TierRun {
  readonly action: ClusterRule['action'];
  readonly rules: readonly { readonly policy: ClusterPolicy; readonly rule: ClusterRule; readonly index: number }[];
}

/** The rules of a tier in the order in which they are tried. Policies of equal priority are tried by name. */
export function tierRuns(
  policies: readonly ClusterPolicy[],
  tier: ClusterPolicy['tier'],
  direction: Direction,
): readonly TierRun[] {
  const runs: { action: ClusterRule['action']; rules: TierRun['rules'][number][] }[] = [];
  for (const policy of policies) {
    if (policy.tier !== tier) continue;
    for (const [index, rule] of policy[direction].entries()) {
      const last = runs.at(-1);
      if (last?.action === rule.action) last.rules.push({ policy, rule, index });
      else runs.push({ action: rule.action, rules: [{ policy, rule, index }] });
    }
  }
  return runs;
}
