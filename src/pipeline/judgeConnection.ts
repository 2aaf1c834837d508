import type { Report } from '../diagnostics/diagnostic.ts';
import type { Loaded } from '../load/loaded.ts';
import type { PolicyModel } from '../model/policyModel.ts';
import { unlistedPods, withUnlistedPods } from '../model/unlistedPods.ts';
import { policyTester, type TestOutcome, type TestRequest, testPolicy } from '../policy/testPolicy.ts';
import type { VerdictOptions } from '../policy/verdict.ts';
import { clusterServices } from './clusterServices.ts';
import { type ReadPolicies, type ReadPoliciesOptions, readPolicies } from './read/readPolicies.ts';

export interface JudgeOptions extends VerdictOptions, ReadPoliciesOptions {}

/** Whether the NetworkPolicies of the objects let a connection pass. Undefined: an error was reported. */
export function judgeConnection(
  objects: Loaded['objects'],
  request: TestRequest,
  report: Report,
  { hairpin, icmp, ...reading }: JudgeOptions = {},
): TestOutcome | undefined {
  const policies = readPolicies(objects, reading, report);
  const options = { ...(hairpin && { hairpin }), ...(icmp && { icmp }) };
  return policies && testPolicy(modelOf(policies, reading), clusterServices(policies.manifests), request, options);
}

/** The same for many connections, each separately; undefined entries have no answer. */
export function judgeConnections(
  objects: Loaded['objects'],
  requests: readonly (TestRequest | undefined)[],
  report: Report,
  { hairpin, icmp, ...reading }: JudgeOptions = {},
): readonly (TestOutcome | undefined)[] | undefined {
  const policies = readPolicies(objects, reading, report);
  if (policies === undefined) return undefined;
  const options = { ...(hairpin && { hairpin }), ...(icmp && { icmp }) };
  const test = policyTester(modelOf(policies, reading), clusterServices(policies.manifests), options);
  return requests.map((request) => request && test(request));
}

/** Connections through Services lead to endpoints, also where no Pods are given. */
function modelOf({ model, manifests }: ReadPolicies, { assumesEmptyLabels }: ReadPoliciesOptions): PolicyModel {
  return withUnlistedPods(model, unlistedPods(manifests, assumesEmptyLabels));
}
