import { count } from '../common/count.ts';
import { firstFew } from '../common/firstFew.ts';
import type { Compiled } from '../core.ts';
import type { Diagnostic, Report } from '../diagnostics/diagnostic.ts';
import { readPolicyModel } from '../model/policyModel.ts';
import type { NodeFilesOptions } from '../output/nodeFiles.ts';
import { type PolicyCoverage, policyCoverage } from '../policy/policyCoverage.ts';

/** Whether rules that would leave the node's Pods open may be written. */
export interface LostPolicyOptions {
  /** Somebody means it. */
  readonly allowsEmpty: boolean;
  /** Other nodes of the same input have Pods that policies select: the input is whole. */
  readonly isOneOfMany?: boolean;
}

/**
 * Before rules of policies are written: says how many policies select how many Pods of the node, and refuses input from which
 * isolated Pods would be left without any rule, for it cannot be told from a cluster that has no policies any more.
 */
export function refuseLostPolicies(
  { policyManifests, model: { node } }: Compiled,
  { policy }: Pick<NodeFilesOptions, 'policy'>,
  { allowsEmpty, isOneOfMany = false }: LostPolicyOptions,
  report: Report,
): void {
  if (policy === undefined || policyManifests.networkPolicies.length === 0) return;
  const model = readPolicyModel(policyManifests);
  const only = model.nodes.length === 1 ? node.name : undefined;
  const coverage = policyCoverage(model, policy.node ?? only);
  report({ code: 'policies-counted', severity: 'note', message: countText(coverage), at: [] });
  if (allowsEmpty) return;
  const problem = problemOf(coverage, isOneOfMany);
  if (problem !== undefined) report({ code: 'policies-lost', severity: 'error', at: [], ...problem });
}

function countText({ node, policies, selecting, pods, selected }: PolicyCoverage): string {
  const where = node === undefined ? 'all nodes' : `node ${node}`;
  return `${where}: ${selecting} of ${count(policies, 'NetworkPolicy', 'NetworkPolicies')} ${selecting === 1 ? 'selects' : 'select'} ${selected} of ${count(pods, 'Pod')}`;
}

function problemOf(
  { node, isNodeKnown, pods, withoutAddress, podsInAll }: PolicyCoverage,
  isOneOfMany: boolean,
): Pick<Diagnostic, 'message' | 'hint'> | undefined {
  const allow = '--allow-empty if it is meant';
  const lost = 'these rules would leave the Pods of the node open';
  if (!isNodeKnown && podsInAll > 0)
    return {
      message: `no Node or Pod of the input is named ${node}: ${lost}`,
      hint: `check --node; ${allow}`,
    };
  if (withoutAddress.length > 0)
    return {
      message: `${firstFew(withoutAddress, mostNamed)} ${withoutAddress.length === 1 ? 'has' : 'have'} no address in the input, and a policy selects ${withoutAddress.length === 1 ? 'it' : 'them'}: ${lost}`,
      hint: `give the Pods as the cluster has them: kubectl get pods -A -o yaml; ${allow}`,
    };
  // That nothing isolates the Pods of this node is an answer, where its Pods are known.
  if (pods > 0 || isOneOfMany) return undefined;
  return {
    message: `the input has NetworkPolicies and no Pod that they could select: ${lost}`,
    hint: `give the Pods too (kubectl get pods -A -o yaml), or take them from workloads with --assume-pods; ${allow}`,
  };
}

const mostNamed = 5;
