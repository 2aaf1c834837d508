import type { Report } from '../diagnostics/diagnostic.ts';
import { emitPolicies } from '../emit/policy/emitPolicies.ts';
import { policyHook } from '../emit/policy/policyHook.ts';
import { policiesGiven } from '../model/policiesGiven.ts';
import { readPolicyModel } from '../model/policyModel.ts';
import { nftRules } from '../node/nftRules.ts';
import type { ToolRules } from '../node/nodeRules.ts';
import { factsMissing } from '../policy/missing/factsMissing.ts';
import { missingPolicyFacts } from '../policy/missing/missingPolicyFacts.ts';
import { equalPriorities } from '../policy/rules/equalPriorities.ts';
import { rulelessParts } from '../policy/rules/rulelessParts.ts';
import type { Compiled } from './compile.ts';

/**
 * The rules that enforce the NetworkPolicies of the input for the Pods of its node, as `compile --policy nftables`
 * writes them. The rules only look at Pods' addresses, so they work next to kube-proxy's of any mode.
 */
export function policyRules(compiled: Compiled, report: Report): readonly ToolRules[] {
  const { policyManifests, plans, model } = compiled;
  if (policiesGiven(policyManifests) === 0) return [];
  const { node, config } = model;
  const policies = readPolicyModel(policyManifests);
  const ruleless = rulelessParts(policies);
  if (ruleless.length > 0) {
    for (const problem of ruleless) report(problem);
    return [];
  }
  const facts = missingPolicyFacts(policies, node.name);
  if (facts.length > 0) {
    report(factsMissing(facts, 'error'));
    return [];
  }
  for (const problem of equalPriorities(policies)) report(problem);
  const { nftables } = emitPolicies(
    policies,
    {
      node: node.name,
      hook: policyHook(config.mode),
      backends: ['nftables'],
      families: plans.map(({ family }) => family),
    },
    report,
  );
  return nftRules({ kind: 'nftables', tables: [...(nftables?.values() ?? [])] }, '');
}
