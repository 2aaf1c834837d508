import { count } from '../common/count.ts';
import { firstFew } from '../common/firstFew.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { policiesGiven } from '../model/policiesGiven.ts';
import { type PolicyModel, readPolicyModel } from '../model/policyModel.ts';
import type { Compiled } from '../pipeline/compile.ts';
import { factsMissing } from '../policy/factsMissing.ts';
import { missingPolicyFacts } from '../policy/missingPolicyFacts.ts';
import { type PolicyCoverage, policyCoverage } from '../policy/policyCoverage.ts';
import type { PolicySettings } from './policyArtefacts.ts';

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
 * Before rules of policies are written: how many policies select how many Pods of the node, which policies of other kinds
 * have no rules, and as errors what forbids it. Input from which isolated Pods would be left without any rule cannot be
 * told from a cluster that has no policies any more, and labels that the input does not show are not taken for none.
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
  const counted: Diagnostic = { code: 'policies-counted', severity: 'note', message: countText(coverage), at: [] };
  const lost = allowsLostPolicies ? undefined : problemOf(coverage, isOneOfMany);
  const facts = missingPolicyFacts(model, asked);
  return [
    counted,
    ...otherPoliciesUnread(model),
    ...withoutRules(model),
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

function withoutRules({ clusterPolicies }: PolicyModel): readonly Diagnostic[] {
  const [first] = clusterPolicies;
  if (first === undefined) return [];
  const rest = clusterPolicies.length - 1;
  const whom = `${first.id}${rest === 0 ? '' : ` and ${count(rest, 'more policy', 'more policies')} for the whole cluster`}`;
  return [
    {
      code: 'policy-without-rules',
      severity: 'error',
      message: `${whom}: rules of cluster-wide policies cannot be written yet, and rules of NetworkPolicies alone could open what they close`,
      at: [first.origin],
      hint: '--policy off writes the rules of Services alone; k8snet policy test judges them all',
    },
  ];
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
