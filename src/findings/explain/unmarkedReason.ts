import { sameData } from '../../common/sameData.ts';
import type { ChainDiff } from '../../compare/compareSets.ts';
import { commands } from '../../problems/catalogue/commands.ts';
import { seenMasquerade } from '../../seen/settings/seenMasquerade.ts';
import type { FindingParts } from '../makeFinding.ts';
import { lostRules } from './lostRules.ts';

/** The rules show other settings for Pod addresses than those that were given. */
export const otherPodRange = {
  why: 'kube-proxy runs with another clusterCIDR, detectLocalMode or masqueradeAll than was given here: one of the two is wrong.',
  fix: `Compare both with \`kubectl get nodes -o custom-columns=NAME:.metadata.name,PODS:.spec.podCIDRS\`. If that of kube-proxy is wrong: ${commands.changeConfig}.`,
};

/**
 * Why a Service's rule that marks traffic from outside the cluster is not as it should be. The same settings are behind
 * these rules of all Services: where the others agree with them, this one was lost. Empty: no rule knows Pods.
 */
export function unmarkedReason({ expectedSet, foundSet }: ChainDiff): Pick<FindingParts, 'why' | 'fix'> {
  const [asked, seen] = [seenMasquerade(expectedSet), seenMasquerade(foundSet)];
  if (asked.masqueradesAll === seen.masqueradesAll && sameData(asked.detector, seen.detector)) return lostRules;
  return seen.detector !== undefined || seen.masqueradesAll === true ? otherPodRange : {};
}
