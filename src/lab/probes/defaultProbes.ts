import { canonicalIp, isLoopbackIp } from '../../common/addresses/ip.ts';
import type { ServicePlan } from '../../plan/plan.ts';
import type { CompiledNodes, LabCluster, LabParty } from '../labCluster.ts';
import type { LabClients } from '../network/labClients.ts';
import type { SocketProtocol } from '../network/labNetwork.ts';
import { type EntranceKind, type LabProbe, sourceOf } from './labProbe.ts';

/**
 * Everybody asks every address of every Service: clients, nodes, some of its own endpoints, and through loopback the
 * tested node.
 */
export function defaultProbes(cluster: LabCluster, clients: LabClients, compiled: CompiledNodes): readonly LabProbe[] {
  const [{ plans }] = compiled;
  const { tested, nodes } = cluster;
  const away = nodes.find(({ hasRules }) => !hasRules) ?? nodes.find((node) => node !== tested);
  const everybody: readonly LabParty[] = [...clients.pods, tested, ...(away ? [away] : []), ...clients.hosts];
  return plans.flatMap(({ services }) =>
    services.flatMap((plan) => {
      const askers = [...everybody, ...endpointsOf(plan, cluster)];
      return addressesOf(plan, tested.addresses).flatMap(({ to, port, entrance }) =>
        (isLoopbackIp(to) ? [tested] : askers)
          .map((from): LabProbe => {
            const protocol = plan.protocol as SocketProtocol;
            return { from, to, port, protocol, service: plan.displayName, entrance };
          })
          .filter((probe) => sourceOf(probe) !== undefined),
      );
    }),
  );
}

interface Address {
  readonly to: string;
  readonly port: number;
  readonly entrance: EntranceKind;
}

function addressesOf({ port }: ServicePlan, ofNode: readonly string[]): readonly Address[] {
  const { clusterIP, externalIPs, loadBalancerIngress, nodePort, family } = port;
  const own = ofNode.filter((ip) => ip.includes(':') === (family === 'ipv6'));
  const all: readonly (readonly [string, number, EntranceKind])[] = [
    [clusterIP, port.port, 'cluster IP'],
    ...externalIPs.map((ip) => [ip, port.port, 'external IP'] as const),
    ...loadBalancerIngress.map(({ ip }) => [ip, port.port, 'load balancer'] as const),
    ...(nodePort === 0
      ? []
      : [...own, family === 'ipv6' ? '::1' : '127.0.0.1'].map((ip) => [ip, nodePort, 'node port'] as const)),
  ];
  const seen = new Set<string>();
  return all.flatMap(([text, number, entrance]) => {
    const to = canonicalIp(text);
    if (to === undefined || seen.has(`${to} ${number}`)) return [];
    seen.add(`${to} ${number}`);
    return [{ to, port: number, entrance }];
  });
}

/** Endpoints that are Pods: each may be sent back to itself. Four of the tested node, one of others. */
function endpointsOf({ all }: ServicePlan, { parties, tested }: LabCluster): readonly LabParty[] {
  const addresses = new Set(all.map(({ ip }) => canonicalIp(ip)));
  const own = parties.filter((party) => party.kind === 'pod' && party.addresses.some((ip) => addresses.has(ip)));
  const here = own.filter(({ node }) => node === tested.node);
  const away = own.filter(({ node }) => node !== tested.node);
  return [...here.slice(0, 4), ...away.slice(0, 1)];
}
