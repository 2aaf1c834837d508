import type { Value } from '../common/ranges/valueRange.ts';
import { saysClusterIP } from '../seen/names/serviceInComment.ts';
import { clusterIpSets } from '../trace/known/clusterIpSets.ts';
import { ruleEntrances } from '../trace/known/ruleEntrances.ts';
import { conditionsOf } from '../trace/service/conditionsOf.ts';
import type { WalkRule } from '../walk/input/walkInput.ts';
import type { WhyQuestion } from './whyQuestion.ts';

/** The packet is for a cluster IP, according to the objects or the rules of any mode. */
export function isForClusterIp(question: WhyQuestion): boolean {
  const { known, entrances, result, input } = question;
  if (known.destination !== undefined) return known.destination.kind === 'clusterIP';
  const { destination } = result.packet;
  return (
    entrances.some((one) => one.address === destination && saysClusterIP(one.comment)) ||
    clusterIpSets(input).some(({ first, last }) => first <= destination && destination <= last)
  );
}

/**
 * Every node translates what its own Pods send there: cluster IPs, and external IPs and those of load balancers. Through 1.20 rules for
 * external IPs ask for the interface, too.
 */
export function isTranslatedAtSender(question: WhyQuestion): boolean {
  const { known, entrances, result } = question;
  if (isForClusterIp(question)) return true;
  if (known.destination?.isLeftToBalancer || known.destination?.address === undefined) return false;
  return entrances.every(({ address, rule }) => address === result.packet.destination && !asksWhence(rule));
}

function asksWhence(rule: WalkRule | undefined): boolean {
  return conditionsOf(rule?.steps ?? []).some(
    (condition) =>
      condition.kind !== 'values' ||
      (condition.field !== 'destination' && condition.field !== 'protocol' && condition.field !== 'destinationPort'),
  );
}

/** Cluster IPs that the rules show, including those of other Services. */
export function shownClusterIps({ input }: WhyQuestion): readonly Value[] {
  return [
    ...ruleEntrances(input).flatMap((one) =>
      one.address !== undefined && saysClusterIP(one.comment) ? one.address : [],
    ),
    ...clusterIpSets(input).map(({ first }) => first),
  ];
}
