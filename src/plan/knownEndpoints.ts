import { canonicalIp } from '../common/addresses/ip.ts';
import { ipPort } from '../common/addresses/ipPort.ts';
import { isRising } from '../common/isRising.ts';
import type { PlanDialect } from '../dialect/plan/planDialect.ts';
import type { Endpoint } from '../model/endpoint.ts';

/**
 * The endpoints of one port that a version knows, each once and in its order. Overlapping slices may name one endpoint
 * twice; `endpoints` are in the order in which kube-proxy meets them. Most ports have endpoints that need no change:
 * those are checked once and not copied.
 */
export function knownEndpoints(endpoints: readonly Endpoint[], dialect: PlanDialect): readonly Endpoint[] {
  const known = dialect.knowsNotReady ? endpoints : readyOnes(endpoints);
  const spelled = dialect.endpointIP === 'canonical' ? canonical(known) : known;
  const isPlain = isRising(spelled);
  if (isPlain && dialect.endpointIdentity === 'address') return spelled;
  const single = withoutDoubles(spelled, dialect);
  // By `ip:port` as text, as kube-proxy sorts endpoints from EndpointSlices: 10.0.0.10 comes before 10.0.0.9.
  if (isPlain || dialect.endpointOrder === 'given') return single;
  return [...single].sort((a, b) => (a.address < b.address ? -1 : a.address > b.address ? 1 : 0));
}

function readyOnes(endpoints: readonly Endpoint[]): readonly Endpoint[] {
  return endpoints.every(({ isReady }) => isReady) ? endpoints : endpoints.filter(({ isReady }) => isReady);
}

function canonical(endpoints: readonly Endpoint[]): readonly Endpoint[] {
  if (endpoints.every(({ ip }) => canonicalIp(ip) === ip)) return endpoints;
  return endpoints.map((endpoint) => {
    const ip = canonicalIp(endpoint.ip) ?? endpoint.ip;
    return { ...endpoint, ip, address: ipPort(ip, endpoint.port) };
  });
}

function withoutDoubles(endpoints: readonly Endpoint[], dialect: PlanDialect): readonly Endpoint[] {
  const replaces = ({ isLocal, isTerminating }: Endpoint) =>
    dialect.replacesEndpoint === 'byLocal' ? isLocal : !isTerminating;
  const known = new Map<string, Endpoint>();
  for (const endpoint of endpoints) {
    const key = dialect.endpointIdentity === 'ip' ? endpoint.ip : endpoint.address;
    if (!known.has(key) || replaces(endpoint)) known.set(key, endpoint);
  }
  return known.size === endpoints.length ? endpoints : [...known.values()];
}
