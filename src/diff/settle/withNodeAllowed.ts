import { isLoopbackIp } from '../../common/addresses/ip.ts';
import type { Model } from '../../model/model.ts';
import type { SeenServices } from '../../model/seenServices.ts';

/**
 * Where a source range holds the node, kube-proxy also allows the load balancer's addresses to themselves. If the node's address is
 * not known, the rules show whether one does. `seen` is asked for only then.
 */
export function withNodeAllowed(model: Model, seen: () => SeenServices): Model {
  const { ip } = model.node;
  const isOpen = ({ family, sourceRanges, loadBalancerIngress }: Model['servicePorts'][number]) =>
    sourceRanges.length > 0 && loadBalancerIngress.length > 0 && isLoopbackIp(ip[family]);
  if (!model.servicePorts.some(isOpen)) return model;
  const shown = seen();
  return {
    ...model,
    servicePorts: model.servicePorts.map((port) => {
      const service = isOpen(port) ? shown.get(`${port.namespace}/${port.name}`) : undefined;
      const allowsNode = service?.allowsNode.get(port.family);
      return allowsNode === undefined ? port : { ...port, allowsNode };
    }),
  };
}
