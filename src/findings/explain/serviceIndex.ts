import type { Rule } from '../../netfilter/iptables/ast.ts';
import type { Plan, ServicePlan } from '../../plan/plan.ts';

/** Where a Service's traffic enters, in words. */
export interface Entrance {
  readonly service: ServicePlan;
  readonly what: 'cluster IP' | 'external IP' | 'load-balancer IP' | 'node port' | 'health-check node port';
}

export interface ServiceIndex {
  /** `tcp 10.0.0.1 80`, `tcp * 30080` to the Service port that has it. */
  readonly entrances: ReadonlyMap<string, Entrance>;
  /** `ns/name:port`, also without the port, to Service ports. */
  readonly byName: ReadonlyMap<string, ServicePlan>;
}

export function serviceIndex(plan: Plan): ServiceIndex {
  const entrances = new Map<string, Entrance>();
  const byName = new Map<string, ServicePlan>();
  for (const service of plan.services) {
    const { port, protocol } = service;
    const add = (ip: string, number: number, what: Entrance['what']) => {
      const key = `${protocol} ${ip} ${number}`;
      if (!entrances.has(key)) entrances.set(key, { service, what });
    };
    add(port.clusterIP, port.port, 'cluster IP');
    for (const ip of port.externalIPs) add(ip, port.port, 'external IP');
    for (const ip of service.loadBalancerIPs) add(ip, port.port, 'load-balancer IP');
    if (port.nodePort > 0) add('*', port.nodePort, 'node port');
    if (port.healthCheckNodePort > 0) add('*', port.healthCheckNodePort, 'health-check node port');
    byName.set(serviceName(service), service);
  }
  return { entrances, byName };
}

/** `namespace/name:port`; no colon for an unnamed port. */
export function serviceName({ port }: ServicePlan): string {
  return `${port.namespace}/${port.name}${port.portName === '' ? '' : `:${port.portName}`}`;
}

/** The entrance that a rule is for, as a key; undefined: for none in particular. */
export function entranceKey(rule: Rule): string | undefined {
  let ip = '*';
  let protocol = '';
  let port = '';
  for (const word of rule.words) {
    if (word.kind === 'destination' && !word.negated) ip = word.address.replace(/\/(?:32|128)$/, '');
    else if (word.kind === 'protocol' && !word.negated) protocol = word.protocol;
    else if (word.kind === 'transport' && word.destinationPort !== undefined) port = word.destinationPort;
  }
  return port === '' && ip === '*' ? undefined : `${protocol} ${ip} ${port}`;
}

/** `10.0.0.1:80/tcp` of a key. */
export function entranceText(key: string): string {
  const [protocol = '', ip = '', port = ''] = key.split(' ');
  if (ip === '*') return `${port}/${protocol}`;
  return `${ip.includes(':') ? `[${ip}]` : ip}:${port}/${protocol}`;
}
