import type { Family } from '../../common/addresses/family.ts';
import type { PacketQuestion } from './askPacket.ts';
import { familyOfValue } from './familyOfValue.ts';
import type { NamedThings } from './namedThings.ts';
import { readParty } from './readParty.ts';

/**
 * The family of a question, according to its addresses; if it only has names, the family that was asked for, and without
 * one the first of what the name stands for. `ofNodePort`: families in which Services have a node port.
 */
export function familyAsked(
  question: PacketQuestion,
  preferred: Family | undefined,
  names: NamedThings,
  ofNodePort: (port: number) => ReadonlySet<Family>,
): Family {
  for (const text of [question.to, question.from]) {
    const party = readParty(text);
    if (party?.kind === 'address') return familyOfValue(party.address);
  }
  if (question.proto === 'icmpv6') return 'ipv6';
  if (preferred !== undefined) return preferred;
  const to = readParty(question.to);
  if (to?.kind === 'node' && to.port !== undefined) {
    const families = ofNodePort(to.port);
    return families.has('ipv6') && !families.has('ipv4') ? 'ipv6' : 'ipv4';
  }
  const own = to?.kind === 'object' ? [...names.serviceAddresses(to.name), ...names.podAddresses(to.name)] : [];
  return own[0] === undefined ? 'ipv4' : familyOfValue(own[0]);
}
