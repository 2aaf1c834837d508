import type { Endpoint } from '../../model/endpoint.ts';
import type { ServicePort } from '../../model/servicePort.ts';

/**
 * Services (`namespace/name`) that represent a large cluster when versions of kube-proxy are told apart: a few of every
 * kind of port that a version may treat differently. `isCandidate` leaves out those that would show nothing.
 */
export function sampleServices(
  ports: readonly ServicePort[],
  isCandidate: (service: string) => boolean,
): ReadonlySet<string> {
  const chosen = new Set<string>();
  const counts = new Map<string, number>();
  for (const port of ports) {
    if (chosen.size === mostServices) break;
    const service = `${port.namespace}/${port.name}`;
    if (!isCandidate(service)) continue;
    const kind = kindOf(port);
    const count = counts.get(kind) ?? 0;
    if (count === mostOfAKind) continue;
    counts.set(kind, count + 1);
    chosen.add(service);
  }
  return chosen;
}

const mostServices = 400;
/** More than one, since each may be among the faulty ones on the node. */
const mostOfAKind = 8;

/** Everything about a port that decides its rules, except names and addresses. */
function kindOf(port: ServicePort): string {
  const flags =
    flag(port.family === 'ipv6', 1) +
    flag(port.portName === '', 2) +
    flag(port.nodePort > 0, 4) +
    flag(port.isExternalPolicyLocal, 8) +
    flag(port.isInternalPolicyLocal, 16) +
    flag(port.healthCheckNodePort > 0, 32);
  // Shares of endpoints are numbers, which versions round differently.
  const count = Math.min(port.endpoints.length, manyEndpoints);
  return `${port.protocol} ${port.type} ${flags} ${count} ${statesOf(port.endpoints)} ${hasMore(port) ? moreOf(port) : ''}`;
}

function flag(isSet: boolean, bit: number): number {
  return isSet ? bit : 0;
}

/** Most ports have none of these. */
function hasMore(port: ServicePort): boolean {
  return (
    port.externalIPs.length + port.writtenExternalIPs.length > 0 ||
    port.loadBalancerIngress.length + port.sourceRanges.length > 0 ||
    (port.affinitySeconds ?? port.topologyAwareHints ?? port.topologyMode ?? port.beta) !== undefined
  );
}

function moreOf(port: ServicePort): string {
  return [
    port.externalIPs.length,
    port.externalIPs.join() === port.writtenExternalIPs.join(),
    port.loadBalancerIngress.map(({ ip, written, ipMode }) => `${ipMode}${ip === written}`).join(),
    port.sourceRanges.map(({ isPadded, written, network }) => `${isPadded}${written === network}`).join(),
    port.affinitySeconds,
    port.topologyAwareHints,
    port.topologyMode,
    port.beta !== undefined,
  ].join();
}

const manyEndpoints = 20;

/** The states of endpoints, one bit each: a large cluster has hundreds of thousands of endpoints. */
function statesOf(endpoints: readonly Endpoint[]): string {
  let few = 0;
  let many = 0;
  for (const { isReady, isServing, isTerminating, isLocal, zoneHints, nodeHints } of endpoints) {
    const state =
      (isReady ? 1 : 0) +
      (isServing ? 2 : 0) +
      (isTerminating ? 4 : 0) +
      (isLocal ? 8 : 0) +
      (zoneHints.length > 0 ? 16 : 0) +
      (nodeHints.length > 0 ? 32 : 0);
    if (state < 32) few |= 1 << state;
    else many |= 1 << (state - 32);
  }
  return `${few} ${many}`;
}
