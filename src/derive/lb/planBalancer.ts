import { type Family, familyNames } from '../../common/addresses/family.ts';
import { canonicalIp, familyOf } from '../../common/addresses/ip.ts';
import { compareBytes } from '../../common/compareBytes.ts';
import type { Report } from '../../diagnostics/diagnostic.ts';
import type { Cluster } from '../../model/cluster.ts';
import type { PortOfEndpoint, PortOfService, Service } from '../../model/service.ts';
import type { BalancerNode } from './balancerNodes.ts';
import type { BalancerOptions, Check, Listener, NodeServer } from './balancerPlan.ts';
import { chooseServices } from './chooseServices.ts';
import { hostPortListeners } from './hostPortListeners.ts';

/** Where kube-proxy answers whether it is alive. */
const kubeProxyHealthPort = 10256;

/** The listeners of all chosen Services; undefined: an error was reported. */
export function planBalancer(
  { services, manifests }: Pick<Cluster, 'services' | 'manifests'>,
  nodes: () => readonly BalancerNode[],
  options: BalancerOptions,
  report: Report,
): readonly Listener[] | undefined {
  const hasHostPorts = options.hostPorts !== undefined;
  const chosen =
    hasHostPorts && options.services === undefined ? [] : chooseServices(services, options.services, manifests, report);
  if (chosen === undefined) return undefined;
  if (chosen.length === 0 && !hasHostPorts) return [];
  const known = nodes();
  if (known.length === 0) {
    report({
      code: 'no-nodes',
      severity: 'error',
      message: 'there is no Node to balance over',
      at: [],
      hint: 'kubectl get nodes -o yaml',
    });
    return undefined;
  }
  const ofHostPorts = hostPortListeners(manifests, known, options, report);
  if (ofHostPorts === undefined) return undefined;
  const listeners = [...chosen.flatMap((service) => serviceListeners(service, known, options, report)), ...ofHostPorts];
  return withoutConflicts(listeners, report).sort((a, b) => compareBytes(a.name, b.name));
}

function serviceListeners(
  service: Service,
  nodes: readonly BalancerNode[],
  options: BalancerOptions,
  report: Report,
): readonly Listener[] {
  const { id, loadBalancer } = service;
  const addresses = addressesOf(service, options, report);
  const listeners: Listener[] = [];
  for (const port of service.ports) {
    const { protocol } = port;
    if (protocol === 'SCTP' || (protocol === 'UDP' && options.program === 'haproxy')) {
      const message = `${options.program} does not balance ${protocol}: port ${port.port} of Service ${id} is left out`;
      report({ code: 'protocol-unsupported', severity: 'warning', message, at: [service.origin] });
      continue;
    }
    if (port.nodePort === 0) {
      const message = `port ${port.port} of Service ${id} has no node port and is left out`;
      report({ code: 'no-node-port', severity: 'warning', message, at: [service.origin] });
      continue;
    }
    const members = membersOf(service, port, nodes, options, report);
    if (members.length === 0) continue;
    const check = checkOf(service, options, report);
    for (const [index, address] of addresses.entries()) {
      const family = address === undefined ? primaryFamily(service) : (familyOf(address) ?? 'ipv4');
      listeners.push({
        name: `${service.namespace}_${service.name}_${port.port}${protocol === 'UDP' ? '_udp' : ''}${index === 0 ? '' : `_${index + 1}`}`,
        address,
        family,
        port: port.port,
        protocol,
        servers: members.map((node) => serverOf(node, family, port.nodePort)),
        check,
        affinitySeconds: service.affinitySeconds,
        sourceRanges: loadBalancer.sourceRanges.map(({ network }) => network),
        proxyProtocol: protocol === 'TCP' ? options.proxyProtocol : undefined,
      });
    }
  }
  return listeners;
}

function addressesOf(
  { loadBalancer, id, origin }: Service,
  { bind }: BalancerOptions,
  report: Report,
): readonly (string | undefined)[] {
  if (bind !== undefined) return bind;
  if (loadBalancer.ingress.length > 0) return [...new Set(loadBalancer.ingress.map(({ ip }) => ip))];
  const requested = canonicalIp(loadBalancer.requestedIP);
  if (requested !== undefined) return [requested];
  report({
    code: 'no-address',
    severity: 'note',
    message: `Service ${id} has no address of its own: the balancer listens on all of its host's`,
    at: [origin],
    hint: 'give it with --bind',
  });
  return [undefined];
}

/** With policy Local only nodes that have an endpoint take connections; nginx cannot ask them, haproxy does. */
function membersOf(
  service: Service,
  port: PortOfService,
  nodes: readonly BalancerNode[],
  { program }: BalancerOptions,
  report: Report,
): readonly BalancerNode[] {
  if (!service.isExternalPolicyLocal || program === 'haproxy') return nodes;
  const ready = readyNodes(service, port);
  const members = nodes.filter(({ name }) => ready.has(name));
  const what = `port ${port.port} of Service ${service.id}`;
  if (members.length === 0) {
    const message = `no node has a ready endpoint of ${what}, which is for local endpoints only; it is left out`;
    report({ code: 'no-nodes', severity: 'warning', message, at: [service.origin] });
  } else {
    report({
      code: 'nodes-by-endpoints',
      severity: 'note',
      message: `${what} is balanced over the ${members.length} of ${nodes.length} nodes that have its endpoints now: nginx cannot ask them`,
      at: [service.origin],
    });
  }
  return members;
}

function readyNodes({ endpoints }: Service, { name, protocol }: PortOfService): ReadonlySet<string> {
  const isOfPort = (port: PortOfEndpoint) => port.name === name && port.protocol === protocol;
  return new Set(endpoints.filter(({ isReady, ports }) => isReady && ports.some(isOfPort)).map(({ node }) => node));
}

function primaryFamily({ clusterIPs }: Service): Family {
  return familyOf(clusterIPs[0] ?? '') ?? 'ipv4';
}

function checkOf(service: Service, { check, program }: BalancerOptions, report: Report): Check {
  if (service.isExternalPolicyLocal && program === 'haproxy') {
    if (service.healthCheckNodePort > 0) return { kind: 'healthz', port: service.healthCheckNodePort };
    report({
      code: 'no-health-check-port',
      severity: 'warning',
      message: `Service ${service.id} is for local endpoints only and has no health-check node port: nodes without endpoints get connections too`,
      at: [service.origin],
    });
  }
  if (check === 'none') return { kind: 'none' };
  return check === 'tcp' ? { kind: 'connect' } : { kind: 'healthz', port: kubeProxyHealthPort };
}

/** A node without an address of the family is reached at its first. */
function serverOf({ name, ips }: BalancerNode, family: Family, port: number): NodeServer {
  return { node: name, ip: ips.find((ip) => familyOf(ip) === family) ?? ips[0] ?? '', port };
}

/** Two listeners cannot have one address and port; the first stays. */
function withoutConflicts(listeners: readonly Listener[], report: Report): Listener[] {
  const owners = new Map<string, string>();
  return listeners.filter(({ name, address, family, port, protocol }) => {
    const place = `${address ?? `every ${familyNames[family]} address`}, port ${port}/${protocol}`;
    const owner = owners.get(place);
    if (owner === undefined) {
      owners.set(place, name);
      return true;
    }
    report({
      code: 'listener-conflict',
      severity: 'warning',
      message: `${name} is left out: ${owner} listens on ${place} already`,
      at: [],
      hint: 'give each Service an address of its own, or choose one with --service',
    });
    return false;
  });
}
