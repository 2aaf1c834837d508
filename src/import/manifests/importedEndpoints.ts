import { ipPort } from '../../common/addresses/ipPort.ts';
import type { PlanDialect } from '../../dialect/plan/planDialect.ts';
import type { SeenAddress, SeenPort } from '../../seen/ports/seenPort.ts';

/** An endpoint of a Service port, so that the same rules come of it. */
export interface ImportedEndpoint extends SeenAddress {
  /** Undefined: it is ready. */
  readonly state?: 'terminating' | 'notReady';
  /** Undefined: no rule tells. */
  readonly node?: 'here' | 'elsewhere';
  /** Which zone it is meant for, where only hints explain the rules. */
  readonly hint?: 'here' | 'elsewhere';
  /** The address was made up: it stands for endpoints of other nodes that no rule leads to. */
  readonly isMadeUp?: true;
}

/**
 * The endpoints of a Service port as its rules show them, in their order; undefined: they show nothing of them. A policy
 * Local leads to endpoints of this node. Where it leads to others than a policy Cluster does, these are about to end, and
 * used for want of better ones, or the endpoints for policy Cluster were chosen by hints.
 */
export function importedEndpoints(port: SeenPort, plan: PlanDialect): readonly ImportedEndpoint[] | undefined {
  const { cluster = [], local = [], idle, hasEndpoints } = port;
  const isShown = port.cluster !== undefined || port.local !== undefined || idle.length > 0;
  if (!isShown && hasEndpoints !== false) return hasEndpoints === true ? [placeholder(port)] : undefined;
  // Most ports: their endpoints are taken as they are.
  if (port.local === undefined && port.localAddresses === undefined && idle.length === 0 && cluster.length > 0)
    return cluster;
  const shared = new Set(cluster.map(text));
  const apart = local.filter((address) => !shared.has(text(address)));
  const isFallback = apart.length === local.length && plan.usesTerminating;
  const usesHints = apart.length > 0 && cluster.length > 0 && !isFallback;
  const here = new Set(local.map(text));
  const nodeOf = (address: SeenAddress): Pick<ImportedEndpoint, 'node'> => {
    const key = text(address);
    if (here.has(key) || port.localAddresses?.has(key)) return { node: 'here' };
    return port.local !== undefined || port.localAddresses !== undefined ? { node: 'elsewhere' } : {};
  };
  const endpoints: ImportedEndpoint[] = [
    ...cluster.map(({ ip, port: number }) => ({
      ip,
      port: number,
      ...nodeOf({ ip, port: number }),
      ...(usesHints && { hint: 'here' as const }),
    })),
    ...apart.map(({ ip, port: number }) => ({
      ip,
      port: number,
      ...(isFallback && cluster.length > 0 && { state: 'terminating' as const }),
      node: 'here' as const,
      ...(usesHints && { hint: 'elsewhere' as const }),
    })),
    ...idle.map((address) => ({ ...address, state: 'notReady' as const, ...nodeOf(address) })),
  ];
  const isUsed = endpoints.some(({ state }) => state !== 'notReady');
  return hasEndpoints === true && !isUsed ? [placeholder(port), ...endpoints] : endpoints;
}

/** An address for documentation (RFC 5737, RFC 3849): no rule leads there, since a policy Local allows none of it. */
function placeholder({ family, port, nodePort }: SeenPort): ImportedEndpoint {
  const ip = family === 'ipv4' ? '192.0.2.1' : '2001:db8::1';
  return { ip, port: port ?? nodePort ?? 1, node: 'elsewhere', isMadeUp: true };
}

function text({ ip, port }: SeenAddress): string {
  return ipPort(ip, port);
}
