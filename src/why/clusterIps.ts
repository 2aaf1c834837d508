import type { Value, ValueRange } from '../common/ranges/valueRange.ts';
import { proxySetKind } from '../netfilter/ipset/proxySets.ts';
import { patternOf } from '../netfilter/nft/meaning/keyMeaning.ts';
import { saysClusterIP } from '../seen/names/serviceInComment.ts';
import { ruleEntrances } from '../trace/known/ruleEntrances.ts';
import type { WalkInput } from '../walk/input/walkInput.ts';
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

/** Cluster IPs that the rules show, including those of other Services. */
export function shownClusterIps({ input }: WhyQuestion): readonly Value[] {
  return [
    ...ruleEntrances(input).flatMap((one) =>
      one.address !== undefined && saysClusterIP(one.comment) ? one.address : [],
    ),
    ...clusterIpSets(input).map(({ first }) => first),
  ];
}

/** Members of IPVS mode's set, and of the set `cluster-ips` in nftables mode. */
function clusterIpSets({ tables, ipsets }: WalkInput): readonly ValueRange[] {
  const members = [...ipsets.values()].flatMap((set) =>
    proxySetKind(set.name) === 'CLUSTER-IP' ? set.members.flatMap(({ parts }) => parts[0]?.range ?? []) : [],
  );
  const elements = tables.flatMap(({ name, sets }) =>
    name === 'kube-proxy' ? (sets.get('cluster-ips')?.elements ?? []) : [],
  );
  const key = [{ kind: 'field', field: 'destination' }] as const;
  const ranges = elements.flatMap((element) => {
    const [part] = patternOf(element.key, key) ?? [];
    return part !== undefined && 'first' in part ? [part] : [];
  });
  return [...members, ...ranges];
}
