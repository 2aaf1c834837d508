import type { PacketQuestion } from './askPacket.ts';
import type { NamedThings } from './namedThings.ts';
import type { NodePortsAt } from './nodePortsAt.ts';
import { protocolName, protocolNumbers } from './protocolName.ts';
import { readParty } from './readParty.ts';

/**
 * The protocol that a question names. Without one, that of the Service port or node port that it names, if this is not
 * offered over TCP: `shop/dns:dns` has one port, over UDP. Otherwise TCP.
 */
export function protocolAsked({ to, proto }: PacketQuestion, names: NamedThings, nodePorts: NodePortsAt): string {
  if (proto !== undefined) return proto;
  const party = readParty(to);
  const ports =
    party?.kind === 'object' && party.of !== 'pod'
      ? names.servicePorts(party.name, party.port)
      : party?.kind === 'node' && party.port !== undefined
        ? nodePorts(party.port)
        : [];
  const [first, ...others] = new Set(ports.map(({ protocol }) => protocol ?? tcp));
  return protocolName(others.length === 0 && first !== undefined ? first : tcp);
}

const tcp = protocolNumbers.get('tcp') ?? 6;
