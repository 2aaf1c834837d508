import { parseIp } from '../../../common/addresses/ip.ts';
import { checkAddress } from '../../fields/addresses.ts';
import type { Complain } from '../../fields/complain.ts';
import { dns1123SubdomainProblem, qualifiedNameProblem } from '../../fields/names.ts';
import { quote } from '../../fields/quote.ts';
import type { Manifest } from '../../kinds/manifest.ts';
import type { Manifests, ServiceObject } from '../../kinds/manifests.ts';

/** What only a Service of type LoadBalancer has: its class, its switch for node ports, and its status. */
export function serviceLoadBalancer(manifests: Manifests, complain: Complain): void {
  for (const service of manifests.services) {
    const isLoadBalancer = service.value.spec.type === 'LoadBalancer';
    checkSpec(service, isLoadBalancer, complain);
    const ingress = service.value.status?.loadBalancer?.ingress ?? [];
    if (ingress.length > 0 && !isLoadBalancer) {
      complain(service, misplaced(['status', 'loadBalancer', 'ingress']));
      continue;
    }
    for (const [index, entry] of ingress.entries()) checkIngress(service, entry, index, complain);
  }
}

function misplaced(path: readonly string[]) {
  return {
    code: 'misplaced-field',
    path,
    message: 'is only allowed in a Service of type LoadBalancer',
  } as const;
}

function checkSpec(service: Manifest<ServiceObject>, isLoadBalancer: boolean, complain: Complain): void {
  const { allocateLoadBalancerNodePorts: allocates, loadBalancerClass } = service.value.spec;
  if (!isLoadBalancer && allocates !== undefined && allocates !== null) {
    complain(service, misplaced(['spec', 'allocateLoadBalancerNodePorts']));
  }
  if (loadBalancerClass === undefined || loadBalancerClass === null) return;
  const path = ['spec', 'loadBalancerClass'];
  const problem = qualifiedNameProblem(loadBalancerClass);
  if (!isLoadBalancer) complain(service, misplaced(path));
  else if (problem !== undefined) {
    complain(service, { code: 'bad-name', path, message: `${quote(loadBalancerClass)} ${problem}` });
  }
}

type Ingress = NonNullable<
  NonNullable<NonNullable<NonNullable<ServiceObject['status']>['loadBalancer']>['ingress']>[number]
>;

function checkIngress(service: Manifest<ServiceObject>, entry: Ingress, index: number, complain: Complain): void {
  const path = ['status', 'loadBalancer', 'ingress', index];
  const { ip, hostname, ipMode } = entry;
  if (ip) checkAddress(service, [...path, 'ip'], ip, complain);
  else if (ipMode) {
    complain(service, {
      code: 'misplaced-field',
      path: [...path, 'ipMode'],
      message: 'is only allowed where ip is set',
    });
  }
  if (!hostname) return;
  const problem = parseIp(hostname) === undefined ? dns1123SubdomainProblem(hostname) : 'is an IP address, not a name';
  if (problem !== undefined) {
    complain(service, { code: 'bad-name', path: [...path, 'hostname'], message: `${quote(hostname)} ${problem}` });
  }
}
