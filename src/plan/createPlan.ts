import type { Family } from '../common/addresses/family.ts';
import type { PlanDialect } from '../dialect/plan/planDialect.ts';
import type { Model } from '../model/model.ts';
import type { ServicePort } from '../model/servicePort.ts';
import type { Plan } from './plan.ts';
import type { PlanMemory } from './planMemory.ts';
import { planNode } from './planNode.ts';
import { planRoutes } from './planRoutes.ts';
import { planServicePort } from './planServicePort.ts';

/** kube-proxy leaves out endpoint comments above this number of endpoints (its largeClusterEndpointsThreshold). */
const largeClusterEndpoints = 1000;

/** Makes every decision about one family's rules, with the values of one kube-proxy version. */
export function createPlan(model: Model, family: Family, dialect: PlanDialect, memory?: PlanMemory): Plan {
  const node = planNode(model, family, dialect);
  const earlier = memory?.under(node, model.node, dialect);
  const routesOf = planRoutes(node, dialect);
  const planOf = (port: ServicePort) => planServicePort(port, model.node, node, routesOf, dialect);
  const sorted = sortServicePorts(model.servicePorts, family, memory);
  const services = sorted.map(earlier === undefined ? planOf : (port) => earlier.of(port, planOf));
  let endpoints = model.otherEndpoints?.[family] ?? 0;
  for (const { all } of services) endpoints += all.length;
  return { family, node: { ...node, isLargeCluster: endpoints > largeClusterEndpoints }, services };
}

/**
 * By `namespace/name:port` in byte order (no colon if the port has no name), then by protocol. kube-proxy walks a map,
 * so no version defines an order; this one is ours. Valid names are ASCII.
 */
function sortServicePorts(
  ports: readonly ServicePort[],
  family: Family,
  memory: PlanMemory | undefined,
): readonly ServicePort[] {
  const known = memory?.sortKeys();
  const sorted: { readonly port: ServicePort; readonly key: string }[] = [];
  for (const port of ports) {
    const earlier = known?.get(port);
    const key = earlier ?? sortKey(port);
    if (earlier === undefined) known?.set(port, key);
    if (port.family === family) sorted.push({ port, key });
  }
  return sorted.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ port }) => port);
}

function sortKey(port: ServicePort): string {
  const name = `${port.namespace}/${port.name}`;
  return `${port.portName === '' ? name : `${name}:${port.portName}`}\0${port.protocol}`;
}
