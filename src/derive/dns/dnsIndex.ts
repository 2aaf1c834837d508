import { addTo } from '../../common/addTo.ts';
import type { DnsRecord, DnsType, DnsZone } from './dnsRecord.ts';

/** The records of zones by owner. */
export interface DnsIndex {
  readonly zones: readonly string[];
  readonly byName: ReadonlyMap<string, readonly DnsRecord[]>;
}

export function dnsIndex(zones: readonly DnsZone[]): DnsIndex {
  const byName = new Map<string, DnsRecord[]>();
  for (const { records } of zones) for (const record of records) addTo(byName, record.name, record);
  return { zones: zones.map(({ name }) => name), byName };
}

/** Where an alias leads: to records, to nothing, or out of the zone. */
export interface FollowedAlias {
  readonly end: 'found' | 'nothing' | 'outside';
  /** The alias itself, those after it, and the records at the end. */
  readonly answers: readonly DnsRecord[];
}

/** More aliases in a row than servers follow. */
const mostAliases = 10;

/** Follows a CNAME to records of a type, while it stays in `zone`. */
export function followAlias(index: DnsIndex, alias: DnsRecord, type: DnsType, zone: string): FollowedAlias {
  const answers = [alias];
  let current = alias;
  for (let step = 0; step < mostAliases; step += 1) {
    if (!isInZone(current.data, zone)) return { end: 'outside', answers };
    const there = index.byName.get(current.data) ?? [];
    const found = there.filter((record) => record.type === type);
    if (found.length > 0) return { end: 'found', answers: [...answers, ...found] };
    const next = there.find((record) => record.type === 'CNAME');
    if (next === undefined) return { end: 'nothing', answers };
    answers.push(next);
    current = next;
  }
  return { end: 'nothing', answers };
}

/** The name is that of the zone or lies below it; both end in a dot. */
export function isInZone(name: string, zone: string): boolean {
  return name === zone || name.endsWith(`.${zone}`);
}
