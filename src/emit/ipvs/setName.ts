import type { Family } from '../../common/family.ts';
import type { IpvsDialect } from '../../dialect/ipvs/ipvsDialect.ts';
import { ipvsSets, type SetKey } from '../../dialect/ipvs/ipvsSets.ts';

/** The kernel takes 31 characters; kube-proxy cuts its IPv6 names there. */
export function setName(key: SetKey, family: Family, dialect: Pick<IpvsDialect, 'namesIPv6Sets'>): string {
  const { name } = ipvsSets[key];
  return family === 'ipv6' && dialect.namesIPv6Sets ? name.replace('KUBE-', 'KUBE-6-').slice(0, 31) : name;
}
