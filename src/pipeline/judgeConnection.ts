import type { Report } from '../diagnostics/diagnostic.ts';
import type { Loaded } from '../load/load.ts';
import { type TestOutcome, type TestRequest, testPolicy } from '../policy/testPolicy.ts';
import type { VerdictOptions } from '../policy/verdict.ts';
import { clusterServices } from './clusterServices.ts';
import { type ReadPoliciesOptions, readPolicies } from './readPolicies.ts';

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
  return policies && testPolicy(policies.model, clusterServices(policies.manifests), request, options);
}
