import { count } from '../../common/text/count.ts';
import { firstFew } from '../../common/text/firstFew.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { policiesGiven } from '../../model/policiesGiven.ts';
import { type PolicyModel, readPolicyModel } from '../../model/policyModel.ts';
import type { Compiled } from '../../pipeline/compile.ts';
import { factsMissing } from '../../policy/missing/factsMissing.ts';
import { missingPolicyFacts } from '../../policy/missing/missingPolicyFacts.ts';
import { type PolicyCoverage, policyCoverage } from '../../policy/policyCoverage.ts';
import { equalPriorities } from '../../policy/rules/equalPriorities.ts';
import { rulelessParts } from '../../policy/rules/rulelessParts.ts';
import type { PolicySettings } from './policySettings.ts';

/** When rules of policies may be written. */
export interface PolicyGuard {
  /** `whenPrinted`: files that load nothing are asked for, so that policies count only where they are what is printed. */
  readonly guardsPolicies: 'always' | 'whenPrinted';
  /** Somebody means that Pods are left open. */
  readonly allowsLostPolicies: boolean;
  /** Other nodes of the same input have Pods that policies select: the input is whole. */
  readonly isOneOfMany: boolean;
}

/**
 * Messages before rules of policies are written: how many policies select how many Pods of the node, which policies of
 * other kinds have no rules, and as errors what forbids writing. Input that would leave isolated Pods without any rule
 * looks like a cluster without policies, and labels that the input does not show must not count as absent.
 */
export function policyProblems(
  { policyManifests, model: { node } }: Compiled,
  settings: PolicySettings,
  { allowsLostPolicies, isOneOfMany }: Omit<PolicyGuard, 'guardsPolicies'>,
): readonly Diagnostic[] {
  if (policiesGiven(policyManifests) === 0) return [];
  const model = readPolicyModel(policyManifests);
  const only = model.nodes.length === 1 ? node.name : undefined;
  const asked = settings.node ?? only;
  const coverage = policyCoverage(model, asked);
  const counted: Diagnostic = {
    code: 'policies-counted',
    severity: 'note',
    message: countText(coverage, model.clusterPolicies.length > 0),
    at: [],
  };
  const lost = allowsLostPolicies ? undefined : problemOf(coverage, isOneOfMany);
  const facts = missingPolicyFacts(model, asked);
  return [
    counted,
    ...otherPoliciesUnread(model),
    ...rulelessParts(model, settings.layout),
    ...equalPriorities(model),
    ...(lost === undefined ? [] : [{ code: 'policies-lost', severity: 'error', at: [], ...lost } as const]),
    ...(facts.length === 0 ? [] : [factsMissing(facts, 'error')]),
  ];
}

function otherPoliciesUnread({ otherPolicies }: PolicyModel): readonly Diagnostic[] {
  const [first] = otherPolicies;
  if (first === undefined) return [];
  const kinds = [...new Set(otherPolicies.map(({ kind }) => kind))].join(', ');
  return [
    {
      code: 'other-policies',
      severity: 'warning',
      message: `${count(otherPolicies.length, 'policy', 'policies')} of other kinds (${kinds}) get no rules: whoever serves them decides about packets too`,
      at: [],
    },
  ];
}

function countText({ node, policies, selecting, pods, selected }: PolicyCoverage, hasWide: boolean): string {
  const where = node === undefined ? 'all nodes' : `node ${node}`;
  return `${where}: ${selecting} of ${hasWide ? count(policies, 'policy', 'policies') : count(policies, 'NetworkPolicy', 'NetworkPolicies')} ${selecting === 1 ? 'selects' : 'select'} ${selected} of ${count(pods, 'Pod')}`;
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
