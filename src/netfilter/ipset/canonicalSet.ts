import { compareBytes } from '../../common/compareBytes.ts';
import type { IpSet, IpsetMember, IpsetOption } from './ast.ts';
import { canonicalMembers } from './canonicalMember.ts';

/**
 * The one form of all sets that mean the same: defaults spelt out, options in ipset's order, members in its spelling and
 * in byte order, each once. What says nothing of the meaning is left out: initval (random), hashsize (grows by itself),
 * bucketsize, counters' values and remaining times.
 */
export function canonicalSet(set: IpSet): IpSet {
  const options = canonicalOptions(set);
  const members = new Map<string, IpsetMember>();
  for (const { member, options: written, line } of set.members) {
    const kept = written.map(canonicalMemberOption).filter((option) => option !== undefined);
    for (const key of canonicalMembers(set.type, member)) {
      members.set(key, { member: key, options: kept, ...(line !== undefined && { line }) });
    }
  }
  return {
    name: set.name,
    type: set.type,
    options,
    members: [...members.values()].sort((a, b) => compareBytes(a.member, b.member)),
    ...(set.line !== undefined && { line: set.line }),
  };
}

const ignored: ReadonlySet<string> = new Set(['initval', 'hashsize', 'bucketsize']);
const order = ['family', 'range', 'size', 'netmask', 'bitmask', 'markmask', 'maxelem', 'timeout'];
const flags = ['counters', 'comment', 'skbinfo', 'forceadd'];

function canonicalOptions(set: IpSet): readonly IpsetOption[] {
  const values = new Map<string, string | undefined>();
  if (set.type.startsWith('hash:')) {
    if (set.type !== 'hash:mac') values.set('family', 'inet');
    values.set('maxelem', '65536');
  }
  if (set.type === 'list:set') values.set('size', '8');
  for (const { name, value } of set.options) {
    if (ignored.has(name)) continue;
    values.set(name, name === 'family' ? family(value ?? '') : value);
  }
  const place = [...order, ...flags];
  return [...values]
    .map(([name, value]) => (value === undefined ? { name } : { name, value }))
    .sort((a, b) => place.indexOf(a.name) - place.indexOf(b.name));
}

function family(value: string): string {
  if (value === 'ipv4' || value === '-4') return 'inet';
  return value === 'ipv6' || value === '-6' ? 'inet6' : value;
}

/** Counters count and times run; only a member that never leaves (`timeout 0`) says something by its time. */
function canonicalMemberOption(option: IpsetOption): IpsetOption | undefined {
  if (option.name === 'packets' || option.name === 'bytes') return undefined;
  if (option.name === 'timeout') return option.value === '0' ? option : { name: 'timeout', value: 'running' };
  return option;
}
