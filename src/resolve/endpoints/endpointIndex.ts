import type { Family } from '../../common/addresses/family.ts';
import { ipPort } from '../../common/addresses/ipPort.ts';
import type { Protocol } from '../../common/addresses/protocol.ts';
import { flatText } from '../../common/text/flatText.ts';
import type { Endpoint } from '../../model/endpoint.ts';
import type { PortOfService } from '../../model/service.ts';

/** Endpoints of one Service by family, port name and protocol, in the order in which they were added. */
export interface EndpointIndex {
  /** The list that endpoints of this port are added to. */
  readonly open: (family: Family, portName: string, protocol: Protocol) => Endpoint[];
  readonly add: (family: Family, portName: string, protocol: Protocol, endpoint: Endpoint) => void;
  readonly of: (family: Family, portName: string, protocol: Protocol) => readonly Endpoint[];
  /** Endpoints at ports that are not among these. */
  readonly besides: (family: Family, ports: readonly PortOfService[]) => readonly Endpoint[];
}

/** An endpoint's fields apart from its port and identity. */
export type EndpointState = Omit<Endpoint, 'port' | 'address'>;

export function endpointIndex(): EndpointIndex {
  const ports = new Map<string, Endpoint[]>();
  const key = (family: Family, portName: string, protocol: Protocol) => `${family}/${protocol}/${portName}`;
  const open = (family: Family, portName: string, protocol: Protocol) => {
    const name = key(family, portName, protocol);
    const known = ports.get(name);
    if (known !== undefined) return known;
    const added: Endpoint[] = [];
    ports.set(name, added);
    return added;
  };
  return {
    open,
    add: (family, portName, protocol, endpoint) => {
      open(family, portName, protocol).push(endpoint);
    },
    of: (family, portName, protocol) => ports.get(key(family, portName, protocol)) ?? [],
    besides: (family, own) => {
      const known = new Set(own.map(({ name, protocol }) => key(family, name, protocol)));
      return [...ports]
        .filter(([name]) => name.startsWith(`${family}/`) && !known.has(name))
        .flatMap(([, endpoints]) => endpoints);
    },
  };
}

/** An endpoint at one port. */
export function endpointAt(state: EndpointState, port: number): Endpoint {
  const { ip, isReady, isServing, isTerminating, isLocal, zoneHints, nodeHints } = state;
  // Later comparisons need it in one piece; made in this way at once, it never lives as a tree.
  const address = flatText(ipPort(ip, port));
  return { ip, port, address, isReady, isServing, isTerminating, isLocal, zoneHints, nodeHints };
}
