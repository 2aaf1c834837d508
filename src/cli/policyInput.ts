import { count } from '../common/count.ts';
import { load } from '../load/load.ts';
import type { Sources } from '../load/sources.ts';
import { type PolicyModel, readPolicyModel } from '../model/policyModel.ts';
import type { Manifests } from '../validate/manifests.ts';
import { type AssumeFlags, assumeOptions } from './assumeOptions.ts';
import type { InputOptions, ValidateFlags } from './commonOptions.ts';
import type { Messages } from './messages.ts';

/** What the policy commands work on. Undefined where the manifests have errors: these were said already. */
export interface PolicyInput {
  readonly manifests: Manifests;
  readonly model: PolicyModel;
  readonly sources: Sources;
}

export async function readPolicyInput(
  options: InputOptions & ValidateFlags & AssumeFlags,
  messages: Messages,
): Promise<PolicyInput | undefined> {
  const { objects, sources } = await load(options.filename, { recursive: options.recursive }, messages.report);
  const { validate } = await import('../validate/validate.ts');
  const { manifests: given } = validate(objects, messages.report, { unknownFields: options.validate });
  const manifests = options.assumePods && !messages.hasErrors() ? await withPods(given, options, messages) : given;
  if (messages.hasErrors()) {
    await messages.flush(sources);
    return undefined;
  }
  messages.progress(
    `${count(manifests.networkPolicies.length, 'policy', 'policies')}, ${count(manifests.pods.length, 'Pod')}`,
  );
  return { manifests, model: readPolicyModel(manifests), sources };
}

async function withPods(manifests: Manifests, options: AssumeFlags, messages: Messages): Promise<Manifests> {
  const { assumeClusterPods } = await import('../resolve/assumeClusterPods.ts');
  return assumeClusterPods(manifests, assumeOptions(options), messages.report);
}
