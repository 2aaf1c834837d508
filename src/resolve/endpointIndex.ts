import type { Family } from '../common/family.ts';
import type { Protocol } from '../common/protocol.ts';
import type { Endpoint } from '../model/endpoint.ts';

/** Endpoints of one Service by family, port name and protocol; the first of two equal addresses wins, unless the second is local. */
export interface EndpointIndex {
  readonly add: (family: Family, portName: string, protocol: Protocol, endpoint: Endpoint) => void;
  readonly of: (family: Family, portName: string, protocol: Protocol) => readonly Endpoint[];
}

/** An endpoint's fields besides its port and identity. */
export type EndpointState = Omit<Endpoint, 'port' | 'address'>;

export function endpointIndex(): EndpointIndex {
  const ports = new Map<string, Map<string, Endpoint>>();
  const key = (family: Family, portName: string, protocol: Protocol) => `${family}/${protocol}/${portName}`;
  return {
    add: (family, portName, protocol, endpoint) => {
      const at = key(family, portName, protocol);
      let endpoints = ports.get(at);
      if (endpoints === undefined) {
        endpoints = new Map();
        ports.set(at, endpoints);
      }
      const known = endpoints.get(endpoint.address);
      if (known === undefined || (!known.isLocal && endpoint.isLocal)) endpoints.set(endpoint.address, endpoint);
    },
    of: (family, portName, protocol) => [...(ports.get(key(family, portName, protocol))?.values() ?? [])],
  };
}

/** An endpoint at one port; its identity is `ip:port`, with brackets around an IPv6 address. */
export function endpointAt(state: EndpointState, port: number): Endpoint {
  const { ip, isReady, isServing, isTerminating, isLocal, zoneHints } = state;
  const address = ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`;
  return { ip, port, address, isReady, isServing, isTerminating, isLocal, zoneHints };
}
