import type { Family } from '../../common/addresses/family.ts';
import type { IpvsDialect } from '../../dialect/ipvs/ipvsDialect.ts';
import { ipvsSets, type SetKey } from '../../dialect/ipvs/ipvsSets.ts';
import { ipv6SetName } from '../../netfilter/ipset/proxySets.ts';

export function setName(key: SetKey, family: Family, dialect: Pick<IpvsDialect, 'namesIPv6Sets'>): string {
  const { name } = ipvsSets[key];
  return family === 'ipv6' && dialect.namesIPv6Sets ? ipv6SetName(name) : name;
}
