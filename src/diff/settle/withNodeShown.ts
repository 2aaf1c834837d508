import { familyOf, isLoopbackIp } from '../../common/addresses/ip.ts';
import { modeFacts } from '../../common/proxy/modeFacts.ts';
import type { Model } from '../../model/model.ts';
import type { SeenServices } from '../../model/seenServices.ts';
import type { NodeRules } from '../../node/nodeRules.ts';
import { showsNodePorts } from '../../seen/ipvs/showsNodePorts.ts';

/** If an address of the node is not known, its rules show what depends on it. `seen` is asked for only then. */
export function withNodeShown(model: Model, dump: NodeRules, seen: () => SeenServices): Model {
  return withUnnamedNodePorts(withNodeAllowed(model, seen), dump);
}

/** Where a source range holds the node, kube-proxy also allows the load balancer's addresses to themselves. */
function withNodeAllowed(model: Model, seen: () => SeenServices): Model {
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

/** IPVS mode opens node ports only at addresses of the node: sets and rules for node ports show that it has some. */
function withUnnamedNodePorts(model: Model, dump: NodeRules): Model {
  const { node, config } = model;
  if (!modeFacts[config.mode].usesIpvs) return model;
  const named = new Set(node.addresses.filter((ip) => !isLoopbackIp(ip)).map(familyOf));
  const unnamed = (['ipv4', 'ipv6'] as const).filter((family) => !named.has(family) && showsNodePorts(dump, family));
  return unnamed.length === 0 ? model : { ...model, node: { ...node, unnamedNodePorts: new Set(unnamed) } };
}
