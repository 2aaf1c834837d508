import type { Report } from '../diagnostics/diagnostic.ts';
import type { Loaded } from '../load/load.ts';
import { readPolicyModel } from '../model/policyModel.ts';
import { type TestOutcome, type TestRequest, testPolicy } from '../policy/testPolicy.ts';
import type { VerdictOptions } from '../policy/verdict.ts';
import { validate } from '../validate/validate.ts';
import type { FieldValidation } from '../validate/validateOptions.ts';
import { clusterServices } from './clusterServices.ts';
import { checking } from './compile.ts';

export interface PolicyOptions extends VerdictOptions {
  /** Default: warn; those of a NetworkPolicy are errors in any case. */
  readonly unknownFields?: FieldValidation | undefined;
}

/** Whether the NetworkPolicies of the objects let a connection pass. Undefined: an error was reported. */
export function judgeConnection(
  objects: Loaded['objects'],
  request: TestRequest,
  report: Report,
  { unknownFields, ...options }: PolicyOptions = {},
): TestOutcome | undefined {
  const checked = checking(report);
  const { manifests } = validate(objects, checked.report, { unknownFields });
  if (checked.hasErrors()) return undefined;
  return testPolicy(readPolicyModel(manifests), clusterServices(manifests), request, options);
}
