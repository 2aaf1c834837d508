import type { Report } from '../../diagnostics/diagnostic.ts';
import { policiesGiven } from '../../model/policiesGiven.ts';
import type { NodeRules } from '../../node/nodeRules.ts';
import type { Compiled } from '../../public/core.ts';
import { proxySeen } from '../../seen/proxySeen.ts';

/**
 * Refuses to compare a node that has Services with manifests that have none: after a failed `kubectl get` before the
 * pipe, all of them would look left over and removable.
 */
export function refuseNoServices({ given, policyManifests }: Compiled, dump: NodeRules, report: Report): void {
  if (given.services > 0 || policiesGiven(policyManifests) > 0) return;
  if (proxySeen(dump).names.size === 0 && dump.ipvs.length === 0) return;
  report({
    code: 'no-services',
    severity: 'error',
    message: 'no Services in the manifests: every Service of the node would look left over',
    at: [],
    hint: 'check the paths, or the command that writes the input',
  });
}
