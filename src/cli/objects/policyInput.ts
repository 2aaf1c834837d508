import { count } from '../../common/text/count.ts';
import { load } from '../../load/files/load.ts';
import type { Sources } from '../../load/sources.ts';
import { policiesGiven } from '../../model/policiesGiven.ts';
import { type ReadPolicies, readPolicies } from '../../public/core.ts';
import { told } from '../../public/result.ts';
import { type AssumeFlags, assumeOptions } from '../options/assumeOptions.ts';
import type { InputOptions, ValidateFlags } from '../options/commonOptions.ts';
import type { Messages } from '../write/messages.ts';
import { policyNeeds } from './liveNeeds.ts';
import { withCluster } from './withCluster.ts';

/** The input of the policy commands. Undefined if the manifests have errors, which were reported. */
export interface PolicyInput extends ReadPolicies {
  readonly sources: Sources;
}

export async function readPolicyInput(
  options: InputOptions & ValidateFlags & AssumeFlags,
  messages: Messages,
): Promise<PolicyInput | undefined> {
  const files = await load(options.filename, { recursive: options.recursive }, messages.report);
  const { objects, sources } = await withCluster(files, options, policyNeeds, messages);
  const assume = assumeOptions({ ...options, assumePods: options.assumePods && !messages.hasErrors() });
  const policies = await told(readPolicies(objects, { unknownFields: options.validate, ...assume }), messages.report);
  if (policies === undefined || messages.hasErrors()) {
    await messages.flush(sources);
    return undefined;
  }
  const { manifests } = policies;
  messages.progress(`${count(policiesGiven(manifests), 'policy', 'policies')}, ${count(manifests.pods.length, 'Pod')}`);
  return { ...policies, sources };
}
