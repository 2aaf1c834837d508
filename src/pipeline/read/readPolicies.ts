import type { Report } from '../../diagnostics/diagnostic.ts';
import type { Loaded } from '../../load/loaded.ts';
import { type PolicyModel, readPolicyModel } from '../../model/policyModel.ts';
import { assumeClusterPods } from '../../resolve/assumed/assumeClusterPods.ts';
import type { TargetOptions } from '../../resolve/targetOptions.ts';
import type { FieldValidation } from '../../validate/fields/fieldValidation.ts';
import type { Manifests } from '../../validate/kinds/manifests.ts';
import { validate } from '../../validate/validate.ts';
import { checking } from '../checking.ts';

export interface ReadPoliciesOptions
  extends Pick<TargetOptions, 'assumesPods' | 'podAddresses' | 'podCIDRs' | 'assumesEmptyLabels'> {
  /** Default: warn; problems in a NetworkPolicy are errors in any case. */
  readonly unknownFields?: FieldValidation | undefined;
}

/** NetworkPolicies, and the Pods and Namespaces that they are about. */
export interface ReadPolicies {
  readonly manifests: Manifests;
  readonly model: PolicyModel;
}

/** From objects to policies. Undefined: an error was reported. */
export function readPolicies(
  objects: Loaded['objects'],
  { unknownFields, ...assume }: ReadPoliciesOptions,
  report: Report,
): ReadPolicies | undefined {
  const checked = checking(report);
  const { manifests: given } = validate(objects, checked.report, { unknownFields });
  if (checked.hasErrors()) return undefined;
  const manifests = assumeClusterPods(given, assume, checked.report);
  return checked.hasErrors() ? undefined : { manifests, model: readPolicyModel(manifests) };
}
