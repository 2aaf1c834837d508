import type { Family } from '../../common/addresses/family.ts';
import { dialectOf } from '../../dialect/dialectOf.ts';
import type { IpvsDialect } from '../../dialect/ipvs/ipvsDialect.ts';
import { knownVersions } from '../../dialect/knownVersions.ts';
import { setName } from '../../emit/ipvs/setName.ts';

/** What the versions of kube-proxy make in IPVS mode, by name; each name once. */
export interface EveryIpvsName {
  readonly natChains: readonly string[];
  readonly filterChains: readonly string[];
  /** Before 1.16 IPv6 had the names of IPv4; they count as those alone. */
  readonly sets: Readonly<Record<Family, readonly string[]>>;
}

export function everyIpvsName(): EveryIpvsName {
  const dialects = knownVersions('ipvs').map((version) => dialectOf('ipvs', version).spelling);
  const once = (namesOf: (dialect: IpvsDialect) => readonly string[]) => [...new Set(dialects.flatMap(namesOf))];
  const setsOf = (family: Family) => (dialect: IpvsDialect) =>
    family === 'ipv6' && !dialect.namesIPv6Sets ? [] : dialect.sets.map((key) => setName(key, family, dialect));
  return {
    natChains: once(({ natChains }) => natChains),
    filterChains: once(({ filterChains }) => filterChains),
    sets: { ipv4: once(setsOf('ipv4')), ipv6: once(setsOf('ipv6')) },
  };
}
