import { canonicalIp } from '../../../common/addresses/ip.ts';
import { modeFacts } from '../../../common/proxy/modeFacts.ts';
import type { Compiled } from '../../../pipeline/compile.ts';
import type { Route } from '../../../plan/plan.ts';
import { servicePortName } from '../../../plan/servicePortName.ts';
import type { FlowEntrance, FlowProtocol, FlowService, FlowServices } from './flowServices.ts';

/**
 * The ports of one protocol of the Services in the manifests. An endpoint is alive while it is ready, or still serves
 * while it terminates, even if a policy or a hint leads new flows elsewhere.
 */
export function plannedFlowServices(
  { plans, model }: Pick<Compiled, 'plans' | 'model'>,
  protocol: FlowProtocol,
): FlowServices {
  const entrances = new Map<string, FlowEntrance>();
  const nodeAddresses = new Set<string>();
  for (const { services, node } of plans) {
    const open = node.nodePorts.kind === 'addresses' ? node.nodePorts.addresses : node.addresses;
    for (const address of open) if (!/^127\.|^::1$/.test(address)) nodeAddresses.add(address);
    for (const plan of services) {
      if (plan.protocol !== protocol) continue;
      const { port } = plan;
      const alive = plan.all.filter(({ isReady, isServing }) => isReady || isServing);
      const service: FlowService = {
        name: servicePortName(plan.port),
        origin: port.origin,
        endpoints: new Set(alive.map((endpoint) => `${canonicalIp(endpoint.ip) ?? endpoint.ip} ${endpoint.port}`)),
        isIpvs: modeFacts[model.config.mode].usesIpvs,
      };
      const add = (ip: string, number: number, route: Route) => {
        const key = `${ip} ${number}`;
        if (!entrances.has(key)) entrances.set(key, { service, isOpen: route.kind === 'balance' });
      };
      add(port.clusterIP, port.port, plan.internal);
      for (const ip of [...port.externalIPs, ...plan.loadBalancerIPs])
        add(canonicalIp(ip) ?? ip, port.port, plan.external);
      if (port.nodePort > 0) add('*', port.nodePort, plan.external);
    }
  }
  return { entrances, nodeAddresses };
}
