import { hostOfCidr } from '../../common/addresses/hostOfCidr.ts';
import type { Origin } from '../../diagnostics/diagnostic.ts';
import type { Endpoint } from '../../model/endpoint.ts';
import type { Rule } from '../../netfilter/iptables/ast.ts';
import type { ChainContent } from '../../node/ruleChain.ts';
import type { Plan, Route, ServicePlan } from '../../plan/plan.ts';
import { servicePortName } from '../../plan/servicePortName.ts';

/** What explanations need to know about a Service port. */
export interface KnownService {
  /** `namespace/name:port`; no colon for an unnamed port. */
  readonly name: string;
  readonly origin: Origin;
  readonly protocol: string;
  /** Undefined: no session affinity. */
  readonly affinitySeconds: number | undefined;
  /** All its endpoints, usable or not. */
  readonly endpoints: readonly Endpoint[];
  /** Those that any rule can send to. */
  readonly reachable: readonly Endpoint[];
}

/** `ip:port` of the endpoints that any rule can send to. */
export function reachedOf(service: KnownService | undefined): readonly string[] {
  return service?.reachable.map(({ address }) => address) ?? [];
}

/** An address and port at which a Service is reached, in words. */
export interface ServiceEntrance {
  readonly service: KnownService;
  readonly what: 'cluster IP' | 'external IP' | 'load-balancer IP' | 'node port' | 'health-check node port';
  /** What should happen to its traffic. */
  readonly route: Route['kind'];
}

export interface ServiceIndex {
  /** Maps `tcp 10.0.0.1 80`, `tcp * 30080` to the Service port that has it. */
  readonly entrances: ReadonlyMap<string, ServiceEntrance>;
  /** By `namespace/name:port`. */
  readonly byName: ReadonlyMap<string, KnownService>;
  /** `namespace/name` */
  readonly services: ReadonlySet<string>;
  /** Settings of kube-proxy tell Pods of the node from other senders. */
  readonly knowsLocalPods: boolean;
}

/** Both are made on demand: indexing a large cluster takes longer than a few differences. */
export function serviceIndex({ services, node }: Plan): ServiceIndex {
  let entrances: ReadonlyMap<string, ServiceEntrance> | undefined;
  let known: readonly KnownService[] | undefined;
  let byName: ReadonlyMap<string, KnownService> | undefined;
  let names: ReadonlySet<string> | undefined;
  const all = () => {
    known ??= services.map(knownService);
    return known;
  };
  return {
    knowsLocalPods: node.localDetector !== undefined,
    get entrances() {
      entrances ??= entrancesOf(services, all());
      return entrances;
    },
    get services() {
      names ??= new Set(services.map(({ port }) => `${port.namespace}/${port.name}`));
      return names;
    },
    get byName() {
      byName ??= new Map(all().map((service) => [service.name, service]));
      return byName;
    },
  };
}

function knownService({ port, protocol, all, reachable }: ServicePlan): KnownService {
  const { origin, affinitySeconds } = port;
  return { name: servicePortName(port), origin, protocol, affinitySeconds, endpoints: all, reachable };
}

function entrancesOf(
  services: readonly ServicePlan[],
  known: readonly KnownService[],
): ReadonlyMap<string, ServiceEntrance> {
  const entrances = new Map<string, ServiceEntrance>();
  for (const [at, { port, protocol, loadBalancerIPs, internal, external, externalIP }] of services.entries()) {
    const service = known[at] as KnownService;
    const add = (ip: string, number: number, what: ServiceEntrance['what'], { kind: route }: Route) => {
      const key = `${protocol} ${ip} ${number}`;
      if (!entrances.has(key)) entrances.set(key, { service, what, route });
    };
    add(port.clusterIP, port.port, 'cluster IP', internal);
    for (const ip of port.externalIPs) add(ip, port.port, 'external IP', externalIP);
    for (const ip of loadBalancerIPs) add(ip, port.port, 'load-balancer IP', external);
    if (port.nodePort > 0) add('*', port.nodePort, 'node port', external);
    if (port.healthCheckNodePort > 0) add('*', port.healthCheckNodePort, 'health-check node port', external);
  }
  return entrances;
}

/** The address that a virtual server of IPVS mode is for; a node port has one on each address of the node. */
export function entranceOfServer(
  content: ChainContent | undefined,
  { entrances }: Pick<ServiceIndex, 'entrances'>,
): ServiceEntrance | undefined {
  const own = content?.kind === 'virtualServer' ? content.service.address : undefined;
  if (own?.kind !== 'address') return undefined;
  const { protocol, ip, port } = own;
  return entrances.get(`${protocol} ${ip} ${port}`) ?? entrances.get(`${protocol} * ${port}`);
}

/** The address that a rule is for, as a key; undefined: none in particular. */
export function entranceKey(rule: Rule): string | undefined {
  let ip = '*';
  let protocol = '';
  let port = '';
  for (const word of rule.words) {
    if (word.kind === 'destination' && !word.negated) ip = hostOfCidr(word.address);
    else if (word.kind === 'protocol' && !word.negated) protocol = word.protocol;
    else if (word.kind === 'transport' && word.destinationPort !== undefined) port = word.destinationPort;
  }
  return port === '' && ip === '*' ? undefined : `${protocol} ${ip} ${port}`;
}

/** `10.0.0.1:80/tcp` for a key; only the address if the key has no port. */
export function entranceText(key: string): string {
  const [protocol = '', ip = '', port = ''] = key.split(' ');
  if (port === '') return `${ip}${protocol === '' ? '' : `/${protocol}`}`;
  if (ip === '*') return `${port}/${protocol}`;
  return `${ip.includes(':') ? `[${ip}]` : ip}:${port}/${protocol}`;
}
