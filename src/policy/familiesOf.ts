import type { Family } from '../common/addresses/family.ts';
import { familyOf } from '../common/addresses/ip.ts';
import type { PartyName } from './parties/findParty.ts';

/** The families in which a party can speak, IPv4 first. */
export function familiesOf(name: PartyName): readonly Family[] {
  if (name.kind === 'ip') return [familyOf(name.ip) ?? 'ipv4'];
  const ips = name.kind === 'pod' ? name.pod.ips : name.node.ips;
  const families = new Set(ips.map((ip) => familyOf(ip)));
  return (['ipv4', 'ipv6'] as const).filter((family) => families.has(family));
}
