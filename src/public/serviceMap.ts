import { modeFacts } from '../common/proxy/modeFacts.ts';
import type { Compiled } from '../pipeline/compile.ts';
import type { Plan, Route, ServicePlan } from '../plan/plan.ts';

/** What happens to packets for one port of a Service: by which addresses they come, what is decided, who gets them. */
export interface ServiceMap {
  /** `shop/web:http`, `shop/web:80/tcp` without a name. */
  readonly name: string;
  readonly family: 'ipv4' | 'ipv6';
  readonly type: string;
  readonly affinitySeconds: number | undefined;
  readonly ways: readonly ServiceWay[];
}

export interface ServiceWay {
  readonly kind: 'clusterIP' | 'externalIP' | 'loadBalancerIP' | 'nodePort';
  /** `10.96.0.10:80/tcp`, `node:30080/tcp`. */
  readonly address: string;
  readonly route: Pick<Route, 'kind' | 'over' | 'masquerade'>;
  /** Source ranges that alone may come; empty: everybody. */
  readonly sourceRanges: readonly string[];
  readonly endpoints: readonly MapEndpoint[];
}

export interface MapEndpoint {
  readonly address: string;
  readonly isLocal: boolean;
  readonly isTerminating: boolean;
  /** One of so many that get equal shares; undefined: IPVS chooses by load or by the client. */
  readonly of: number | undefined;
}

/** A map of each Service port, in the order of the rules. */
export async function serviceMaps({ plans, model }: Compiled): Promise<readonly ServiceMap[]> {
  const { mode, ipvs } = model.config;
  const isEven = !modeFacts[mode].usesIpvs || ipvs.scheduler === 'rr' || ipvs.scheduler === 'wrr';
  return plans.flatMap((plan) => plan.services.map((service) => mapOf(plan, service, isEven)));
}

function mapOf({ family }: Plan, service: ServicePlan, isEven: boolean): ServiceMap {
  const { port, protocol, loadBalancerIPs, externalIPs, internal, external, externalIP } = service;
  const end = (ip: string) => `${ip.includes(':') ? `[${ip}]` : ip}:${port.port}/${protocol}`;
  const way = (kind: ServiceWay['kind'], address: string, route: Route): ServiceWay => ({
    kind,
    address,
    route: { kind: route.kind, over: route.over, masquerade: route.masquerade },
    sourceRanges: kind === 'loadBalancerIP' ? service.sourceRanges : [],
    endpoints: endpointsOf(service, route, isEven),
  });
  return {
    name: `${port.namespace}/${port.name}:${port.portName === '' ? `${port.port}/${protocol}` : port.portName}`,
    family,
    type: port.type,
    affinitySeconds: service.affinitySeconds,
    ways: [
      way('clusterIP', end(port.clusterIP), internal),
      ...externalIPs.map((ip) => way('externalIP', end(ip), externalIP)),
      ...loadBalancerIPs.map((ip) => way('loadBalancerIP', end(ip), external)),
      ...(port.nodePort > 0 ? [way('nodePort', `node:${port.nodePort}/${protocol}`, external)] : []),
    ],
  };
}

function endpointsOf({ cluster, local }: ServicePlan, { kind, over }: Route, isEven: boolean): readonly MapEndpoint[] {
  if (kind !== 'balance') return [];
  const endpoints = over === 'local' ? local : cluster;
  return endpoints.map(({ address, isLocal, isTerminating }) => ({
    address,
    isLocal,
    isTerminating,
    of: isEven ? endpoints.length : undefined,
  }));
}
