import type { ValueRange } from '../../common/ranges/valueRange.ts';
import { proxySetKind } from '../../netfilter/ipset/proxySets.ts';
import { patternOf } from '../../netfilter/nft/meaning/keyMeaning.ts';
import type { WalkInput } from '../../walk/input/walkInput.ts';

/** Members of IPVS mode's set, and of the set `cluster-ips` in nftables mode. */
export function clusterIpSets({ tables, ipsets }: Pick<WalkInput, 'tables' | 'ipsets'>): readonly ValueRange[] {
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
