import { canonicalIp } from '../common/ip.ts';
import { ipPort } from '../common/ipPort.ts';
import type { PlanDialect } from '../dialect/plan/planDialect.ts';
import type { Endpoint } from '../model/endpoint.ts';

/**
 * The endpoints that a version knows of one port, each once and in its order. Overlapping slices may name one endpoint
 * twice; `endpoints` are in the order in which kube-proxy meets them.
 */
export function knownEndpoints(endpoints: readonly Endpoint[], dialect: PlanDialect): readonly Endpoint[] {
  const known = dialect.knowsNotReady ? endpoints : filtered(endpoints, ({ isReady }) => isReady);
  const spelled = dialect.endpointIP === 'canonical' ? canonical(known) : known;
  const single = withoutDoubles(spelled, dialect);
  return dialect.endpointOrder === 'sorted' ? sortByAddress(single) : single;
}

function filtered(endpoints: readonly Endpoint[], keeps: (endpoint: Endpoint) => boolean): readonly Endpoint[] {
  return endpoints.every(keeps) ? endpoints : endpoints.filter(keeps);
}

function canonical(endpoints: readonly Endpoint[]): readonly Endpoint[] {
  const isCanonical = ({ ip }: Endpoint) => canonicalIp(ip) === ip;
  if (endpoints.every(isCanonical)) return endpoints;
  return endpoints.map((endpoint) => {
    const ip = canonicalIp(endpoint.ip) ?? endpoint.ip;
    return { ...endpoint, ip, address: ipPort(ip, endpoint.port) };
  });
}

function withoutDoubles(endpoints: readonly Endpoint[], dialect: PlanDialect): readonly Endpoint[] {
  const identity = ({ ip, address }: Endpoint) => (dialect.endpointIdentity === 'ip' ? ip : address);
  if (isRising(endpoints, identity)) return endpoints;
  const replaces = ({ isLocal, isTerminating }: Endpoint) =>
    dialect.replacesEndpoint === 'byLocal' ? isLocal : !isTerminating;
  const known = new Map<string, Endpoint>();
  for (const endpoint of endpoints) {
    const key = identity(endpoint);
    if (!known.has(key) || replaces(endpoint)) known.set(key, endpoint);
  }
  return known.size === endpoints.length ? endpoints : [...known.values()];
}

/** By `ip:port` as text, as kube-proxy sorts what it reads from EndpointSlices: 10.0.0.10 stands before 10.0.0.9. */
function sortByAddress(endpoints: readonly Endpoint[]): readonly Endpoint[] {
  if (isRising(endpoints, ({ address }) => address)) return endpoints;
  return [...endpoints].sort((a, b) => (a.address < b.address ? -1 : a.address > b.address ? 1 : 0));
}

/** Each stands strictly before the next one, so that they are sorted and there are no doubles. */
function isRising(endpoints: readonly Endpoint[], keyOf: (endpoint: Endpoint) => string): boolean {
  for (let at = 1; at < endpoints.length; at++) {
    if (keyOf(endpoints[at - 1] as Endpoint) >= keyOf(endpoints[at] as Endpoint)) return false;
  }
  return true;
}
