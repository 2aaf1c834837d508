import { count } from '../common/count.ts';
import { load } from '../load/load.ts';
import type { Sources } from '../load/sources.ts';
import { type PolicyModel, readPolicyModel } from '../model/policyModel.ts';
import type { Manifests } from '../validate/manifests.ts';
import { type AssumeFlags, assumeOptions } from './assumeOptions.ts';
import type { InputOptions, ValidateFlags } from './commonOptions.ts';
import type { Talk } from './talk.ts';

/** What the policy commands work on. Undefined where the manifests have errors: these were said already. */
export interface PolicyInput {
  readonly manifests: Manifests;
  readonly model: PolicyModel;
  readonly sources: Sources;
}

export async function readPolicyInput(
  options: InputOptions & ValidateFlags & AssumeFlags,
  said: Talk,
): Promise<PolicyInput | undefined> {
  const { objects, sources } = await load(options.filename, { recursive: options.recursive }, said.report);
  const { validate } = await import('../validate/validate.ts');
  const { manifests: given } = validate(objects, said.report, { unknownFields: options.validate });
  const manifests = options.assumePods && !said.hasErrors() ? await withPods(given, options, said) : given;
  if (said.hasErrors()) {
    await said.flush(sources);
    return undefined;
  }
  said.progress(
    `${count(manifests.networkPolicies.length, 'policy', 'policies')}, ${count(manifests.pods.length, 'Pod')}`,
  );
  return { manifests, model: readPolicyModel(manifests), sources };
}

async function withPods(manifests: Manifests, options: AssumeFlags, said: Talk): Promise<Manifests> {
  const { assumeClusterPods } = await import('../resolve/assumeClusterPods.ts');
  return assumeClusterPods(manifests, assumeOptions(options), said.report);
}
