import { ipPort } from '../common/addresses/ipPort.ts';
import type { Model } from '../model/model.ts';
import type { ServicePort } from '../model/servicePort.ts';

/** The effect of an edited manifest on one Service port, or on all ports of a Service if they change alike. */
export interface ServiceEdit {
  /** `namespace/name`. */
  readonly service: string;
  readonly kind: 'added' | 'removed' | 'changed';
  /** Short sentences without a full stop. */
  readonly changes: readonly string[];
}

/**
 * What changes for the Services of one node between two sets of manifests, by name. If there are no rules, nothing
 * changes.
 */
export function editStory(
  before: Pick<Model, 'servicePorts'>,
  after: Pick<Model, 'servicePorts'>,
): readonly ServiceEdit[] {
  const [old, young] = [byService(before.servicePorts), byService(after.servicePorts)];
  const names = [...new Set([...old.keys(), ...young.keys()])].sort();
  return names.flatMap((service): readonly ServiceEdit[] => {
    const [was, is] = [old.get(service), young.get(service)];
    if (was === undefined) return [{ service, kind: 'added', changes: (is ?? []).map(introduced) }];
    if (is === undefined) return [{ service, kind: 'removed', changes: was.map(withdrawn) }];
    const changes = [...new Set(changesOf(was, is))];
    return changes.length === 0 ? [] : [{ service, kind: 'changed', changes }];
  });
}

function byService(ports: readonly ServicePort[]): ReadonlyMap<string, readonly ServicePort[]> {
  const found = new Map<string, ServicePort[]>();
  for (const port of ports) {
    const id = `${port.namespace}/${port.name}`;
    const own = found.get(id);
    if (own === undefined) found.set(id, [port]);
    else own.push(port);
  }
  return found;
}

function introduced(port: ServicePort): string {
  const node = port.nodePort === 0 ? '' : `, node port ${port.nodePort}`;
  return `${portText(port)} at ${ipPort(port.clusterIP, port.port)}${node}: ${endpointsText(port.endpoints.length)}`;
}

function withdrawn(port: ServicePort): string {
  return `${portText(port)} at ${ipPort(port.clusterIP, port.port)} is gone: new connections to it are no longer translated`;
}

function* changesOf(was: readonly ServicePort[], is: readonly ServicePort[]): Iterable<string> {
  const [first, second] = [was[0], is[0]];
  if (first !== undefined && second !== undefined) yield* ofService(first, second);
  const keyOf = (port: ServicePort): string => `${port.family} ${port.protocol} ${port.portName}`;
  const young = new Map(is.map((port) => [keyOf(port), port]));
  const known = new Set(was.map(keyOf));
  for (const port of was) {
    const other = young.get(keyOf(port));
    if (other === undefined) yield withdrawn(port);
    else yield* ofPort(port, other);
  }
  for (const port of is) if (!known.has(keyOf(port))) yield `new: ${introduced(port)}`;
}

function* ofService(was: ServicePort, is: ServicePort): Iterable<string> {
  if (was.type !== is.type) yield `type ${was.type} → ${is.type}`;
  if (was.affinitySeconds !== is.affinitySeconds) yield `session affinity ${affinityText(was)} → ${affinityText(is)}`;
  if (was.isExternalPolicyLocal !== is.isExternalPolicyLocal)
    yield `externalTrafficPolicy ${policy(was.isExternalPolicyLocal)} → ${policy(is.isExternalPolicyLocal)}: ${is.isExternalPolicyLocal ? 'traffic from outside goes to endpoints of this node alone and keeps its source' : 'traffic from outside goes to any endpoint with the address of the node as its source'}`;
  if (was.isInternalPolicyLocal !== is.isInternalPolicyLocal)
    yield `internalTrafficPolicy ${policy(was.isInternalPolicyLocal)} → ${policy(is.isInternalPolicyLocal)}`;
  yield* ofList('external IPs', was.externalIPs, is.externalIPs);
  yield* ofList(
    'addresses of the load balancer',
    was.loadBalancerIngress.map(({ ip }) => ip),
    is.loadBalancerIngress.map(({ ip }) => ip),
  );
  yield* ofList(
    'source ranges',
    was.sourceRanges.map(({ network }) => network),
    is.sourceRanges.map(({ network }) => network),
  );
  if (was.healthCheckNodePort !== is.healthCheckNodePort)
    yield `health check node port ${was.healthCheckNodePort || 'none'} → ${is.healthCheckNodePort || 'none'}`;
}

function* ofPort(was: ServicePort, is: ServicePort): Iterable<string> {
  const name = portText(is);
  if (was.clusterIP !== is.clusterIP) yield `cluster IP ${was.clusterIP} → ${is.clusterIP}`;
  if (was.port !== is.port) yield `${name}: port ${was.port} → ${is.port}`;
  if (was.nodePort !== is.nodePort) yield `${name}: node port ${was.nodePort || 'none'} → ${is.nodePort || 'none'}`;
  const [old, young] = [new Set(addressesOf(was)), new Set(addressesOf(is))];
  const [come, gone] = [[...young].filter((one) => !old.has(one)), [...old].filter((one) => !young.has(one))];
  if (come.length + gone.length === 0) return;
  const parts = [...come.map((one) => `+${one}`), ...gone.map((one) => `-${one}`)];
  const shown = parts.slice(0, mostShown).join(' ');
  const more = parts.length > mostShown ? ` and ${parts.length - mostShown} more` : '';
  yield `${name}: ${old.size} → ${endpointsText(young.size)} (${shown}${more})${shareText(young.size, is)}`;
}

const mostShown = 6;

function addressesOf({ endpoints }: ServicePort): readonly string[] {
  return endpoints.map(({ ip, port }) => ipPort(ip, port));
}

function shareText(count: number, { affinitySeconds }: ServicePort): string {
  if (count === 0) return ': new connections are rejected';
  if (count === 1) return '';
  return affinitySeconds === undefined
    ? `: each gets 1/${count} of new connections`
    : `: each gets 1/${count} of new clients`;
}

function endpointsText(count: number): string {
  return `${count} ${count === 1 ? 'endpoint' : 'endpoints'}`;
}

function* ofList(what: string, was: readonly string[], is: readonly string[]): Iterable<string> {
  if (was.join() !== is.join()) yield `${what} ${was.join(', ') || 'none'} → ${is.join(', ') || 'none'}`;
}

function portText({ portName, port, protocol }: ServicePort): string {
  return portName === '' ? `port ${port}/${protocol}` : `port ${portName}`;
}

function affinityText({ affinitySeconds }: ServicePort): string {
  return affinitySeconds === undefined ? 'none' : `ClientIP for ${affinitySeconds} s`;
}

function policy(isLocal: boolean): string {
  return isLocal ? 'Local' : 'Cluster';
}
