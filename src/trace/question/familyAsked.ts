import type { Family } from '../../common/addresses/family.ts';
import type { PacketQuestion } from './askPacket.ts';
import { familyOfValue } from './familyOfValue.ts';
import type { NamedThings } from './namedThings.ts';
import type { NodePortsAt } from './nodePortsAt.ts';
import { readParty } from './readParty.ts';

/**
 * The family of a question, according to its addresses; if it only has names, the family that was asked for, and without
 * one the first of what the name stands for.
 */
export function familyAsked(
  question: PacketQuestion,
  preferred: Family | undefined,
  names: NamedThings,
  nodePorts: NodePortsAt,
): Family {
  for (const text of [question.to, question.from]) {
    const party = readParty(text);
    if (party?.kind === 'address') return familyOfValue(party.address);
  }
  if (question.proto === 'icmpv6') return 'ipv6';
  if (preferred !== undefined) return preferred;
  const to = readParty(question.to);
  if (to?.kind === 'node' && to.port !== undefined) {
    const families = nodePorts(to.port).map(({ family }) => family);
    return families.includes('ipv6') && !families.includes('ipv4') ? 'ipv6' : 'ipv4';
  }
  const own =
    to?.kind === 'object' ? (names.serviceAddresses(to.name)[0] ?? names.podAddresses(to.name)[0]) : undefined;
  return own === undefined ? 'ipv4' : familyOfValue(own);
}
