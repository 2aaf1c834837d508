import type { Report } from '../../diagnostics/diagnostic.ts';
import { policiesGiven } from '../../model/policiesGiven.ts';
import type { NodeFiles } from '../../output/nodeFiles.ts';
import type { Compiled } from '../../public/core.ts';

/**
 * Refuses input that would make a script remove everything from a node: a failed `kubectl get` before the pipe looks
 * like a cluster without Services.
 */
export function refuseEmpty(
  { given, policyManifests }: Compiled,
  { printsPolicies }: Pick<NodeFiles, 'printsPolicies'>,
  report: Report,
): void {
  if (!printsPolicies && given.services === 0) {
    report({
      code: 'no-services',
      severity: 'error',
      message: 'no Services in the input: these rules would remove every Service from the node',
      at: [],
      hint: 'check the command that writes the input; --allow-empty if it is meant',
    });
  }
  const { pods, namespaces } = policyManifests;
  if (printsPolicies && policiesGiven(policyManifests) + pods.length + namespaces.length === 0) {
    report({
      code: 'no-services',
      severity: 'error',
      message: 'no NetworkPolicies, Pods or Namespaces in the input: these rules would lift every policy from the node',
      at: [],
      hint: 'check the command that writes the input; --allow-empty if it is meant',
    });
  }
}
