import type { Report } from '../diagnostics/diagnostic.ts';
import type { Loaded } from '../load/load.ts';
import { readPolicyModel } from '../model/policyModel.ts';
import { type TestOutcome, type TestRequest, testPolicy } from '../policy/testPolicy.ts';
import type { VerdictOptions } from '../policy/verdict.ts';
import { assumeClusterPods } from '../resolve/assumeClusterPods.ts';
import type { TargetOptions } from '../resolve/targetOptions.ts';
import { validate } from '../validate/validate.ts';
import type { FieldValidation } from '../validate/validateOptions.ts';
import { clusterServices } from './clusterServices.ts';
import { checking } from './compile.ts';

export interface PolicyOptions extends VerdictOptions, Pick<TargetOptions, 'assumesPods' | 'podCIDRs'> {
  /** Default: warn; those of a NetworkPolicy are errors in any case. */
  readonly unknownFields?: FieldValidation | undefined;
}

/** Whether the NetworkPolicies of the objects let a connection pass. Undefined: an error was reported. */
export function judgeConnection(
  objects: Loaded['objects'],
  request: TestRequest,
  report: Report,
  { unknownFields, assumesPods, podCIDRs, ...options }: PolicyOptions = {},
): TestOutcome | undefined {
  const checked = checking(report);
  const { manifests: given } = validate(objects, checked.report, { unknownFields });
  if (checked.hasErrors()) return undefined;
  const assume = { ...(assumesPods && { assumesPods }), ...(podCIDRs && { podCIDRs }) };
  const manifests = assumeClusterPods(given, assume, checked.report);
  if (checked.hasErrors()) return undefined;
  return testPolicy(readPolicyModel(manifests), clusterServices(manifests), request, options);
}
