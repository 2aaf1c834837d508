import type { ObjectFacts } from '../findings/checks/objectFacts.ts';
import type { NodeRules } from '../node/nodeRules.ts';
import type { Compiled } from '../pipeline/compile.ts';
import type { DiffReport } from '../report/diffReport.ts';
import { diffManifests } from './diffManifests.ts';
import type { DiffOptions } from './diffOptions.ts';

/** Everything that should be on a node, of Services and of NetworkPolicies, against what was dumped there. */
export async function diffNode(
  compiled: Compiled,
  facts: ObjectFacts,
  dump: NodeRules,
  options: Omit<DiffOptions, keyof ObjectFacts>,
): Promise<DiffReport> {
  const report = diffManifests(compiled, dump, { ...options, ...facts });
  // A comparison of one Service leaves policies out, and input without policies does not load their code.
  if (options.service !== undefined || compiled.policyManifests.networkPolicies.length === 0) return report;
  const { policyChanges } = await import('./policyChanges.ts');
  const policies = policyChanges(compiled, dump);
  return {
    ...report,
    changes: [...report.changes, ...policies.changes],
    notes: [...report.notes, ...policies.notes],
  };
}
