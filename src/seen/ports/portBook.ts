import type { Family } from '../../common/addresses/family.ts';
import type { Protocol } from '../../common/addresses/protocol.ts';
import { addTo } from '../../common/addTo.ts';
import type { ServicePortName } from '../names/readServicePortName.ts';
import { newSeenPort, type SeenPort } from './seenPort.ts';

/** The Service ports of one family found so far, each once. */
export interface PortBook {
  readonly family: Family;
  readonly of: (name: ServicePortName, protocol: Protocol) => SeenPort;
  /** Those with a name, in any protocol. */
  readonly named: (name: ServicePortName) => readonly SeenPort[];
  readonly all: () => Iterable<SeenPort>;
}

export function portBook(family: Family): PortBook {
  const ports: SeenPort[] = [];
  const byName = new Map<string, SeenPort[]>();
  return {
    family,
    of: ({ service, portName }, protocol) => {
      const known = byName.get(`${service}:${portName}`)?.find((port) => port.protocol === protocol);
      if (known !== undefined) return known;
      const port = newSeenPort(family, service, portName, protocol);
      ports.push(port);
      addTo(byName, `${service}:${portName}`, port);
      return port;
    },
    named: ({ service, portName }) => byName.get(`${service}:${portName}`) ?? [],
    all: () => ports,
  };
}

/** Adds an address to a list that does not have it yet. */
export function addIp(list: string[], ip: string): void {
  if (!list.includes(ip)) list.push(ip);
}
