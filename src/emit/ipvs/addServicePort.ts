import { canonicalIp } from '../../common/addresses/ip.ts';
import type { Report } from '../../diagnostics/diagnostic.ts';
import type { SetKey } from '../../dialect/ipvs/ipvsSets.ts';
import type { Endpoint } from '../../model/endpoint.ts';
import type { RealServer, VirtualService } from '../../netfilter/ipvs/ast.ts';
import type { Route, ServicePlan } from '../../plan/plan.ts';
import type { NodeState } from './nodeState.ts';

/** What all service ports of a family share. */
export interface ServicePortContext {
  readonly state: NodeState;
  readonly scheduler: string;
  readonly nodePortAddresses: readonly string[];
  /** Node ports answer, at addresses that nothing names. */
  readonly hasUnnamedNodePorts: boolean;
  /** External addresses that are not bound to kube-ipvs0, since another interface of the node has them. */
  readonly notBound: ReadonlySet<string>;
  /** SCTP node ports are members of a bitmap, only by their number. */
  readonly hasSctpBitmap: boolean;
  readonly report: Report;
}

type Protocol = 'tcp' | 'udp' | 'sctp';

/** Adds what kube-proxy makes from one service port: members of its sets, virtual services, addresses of kube-ipvs0. */
export function addServicePort(plan: ServicePlan, context: ServicePortContext): void {
  const { port } = plan;
  const { state } = context;
  const protocol = plan.protocol as Protocol;

  for (const endpoint of plan.all) {
    if (!endpoint.isLocal) continue;
    state.addMember('loopBack', `${endpoint.ip},${protocol}:${endpoint.port},${endpoint.ip}`);
  }

  state.addMember('clusterIP', `${port.clusterIP},${protocol}:${port.port}`);
  addService(port.clusterIP, port.port, serversOf(plan, plan.internal));
  state.bind(port.clusterIP);

  if (!plan.isExternallyAccessible && port.healthCheckNodePort === 0) return;
  const servers = serversOf(plan, plan.externalIP);
  const externalSet = keepsSource(plan.externalIP) ? 'externalIPLocal' : 'externalIP';
  for (const written of plan.externalIPs) {
    const ip = canonical(written);
    state.addMember(externalSet, `${written},${protocol}:${port.port}`);
    addService(ip, port.port, servers);
    bindUnlessOwn(ip);
  }
  const external = serversOf(plan, plan.external);
  for (const written of plan.loadBalancerIPs) {
    const ip = canonical(written);
    addLoadBalancer(plan, written, context);
    addService(ip, port.port, external);
    bindUnlessOwn(ip);
  }
  if (port.nodePort !== 0) {
    // Without an address for node ports kube-proxy skips the rest of the service port, including the health check.
    if (context.nodePortAddresses.length === 0 && !context.hasUnnamedNodePorts) return;
    addNodePort(plan, context);
    for (const ip of context.nodePortAddresses) addService(ip, port.nodePort, external);
  }
  if (port.healthCheckNodePort !== 0) state.addMember('healthCheckNodePort', String(port.healthCheckNodePort));

  function addService(ip: string, number: number, servers: readonly RealServer[]): void {
    const service: VirtualService = {
      address: { kind: 'address', protocol, ip, port: number },
      scheduler: context.scheduler,
      ...(plan.affinitySeconds !== undefined && { persistence: { seconds: plan.affinitySeconds } }),
      // Maglev also uses the client's port; otherwise all connections of a client would go to one server.
      flags: context.scheduler === 'mh' ? ['mh-port'] : [],
      servers,
    };
    state.addService(service);
  }

  function bindUnlessOwn(ip: string): void {
    if (!context.notBound.has(ip)) state.bind(ip);
  }
}

/** Versions differ in the spelling of an address in sets and rules; virtual services and devices have a single one. */
function canonical(ip: string): string {
  return canonicalIp(ip) ?? ip;
}

/**
 * Under policy Local the client's address is kept; sets separate such addresses from those whose traffic is
 * masqueraded.
 */
function keepsSource({ masquerade }: Route): boolean {
  return masquerade === 'never';
}

/** A virtual service without servers refuses connections, so it also exists if traffic has to be dropped. */
function serversOf(plan: ServicePlan, route: Route): readonly RealServer[] {
  const servers = new Map<string, RealServer>();
  for (const endpoint of route.over === 'local' ? plan.local : plan.cluster) {
    const server = realServer(endpoint);
    servers.set(`${server.ip} ${server.port}`, server);
  }
  return [...servers.values()];
}

function realServer({ ip, port }: Endpoint): RealServer {
  return { ip: canonical(ip), port, forward: 'masquerade', weight: 1 };
}

function addLoadBalancer(plan: ServicePlan, ip: string, { state, report }: ServicePortContext): void {
  const { port, protocol } = plan;
  const member = `${ip},${protocol}:${port.port}`;
  state.addMember('loadBalancer', member);
  if (keepsSource(plan.external)) state.addMember('loadBalancerLocal', member);
  if (plan.sourceRanges.length === 0) return;
  state.addMember('loadBalancerFirewall', member);
  for (const range of plan.sourceRanges) {
    if (range.endsWith('/0')) {
      state.countMember('loadBalancerSourceCIDR');
      report({
        code: 'source-range-left-out',
        severity: 'warning',
        message: `${plan.displayName}: source range ${range} is refused by ipset, so it lets nobody reach ${ip} in IPVS mode`,
        at: [port.origin],
        hint: 'leave loadBalancerSourceRanges out to let everybody in, or give two halves, 0.0.0.0/1 and 128.0.0.0/1',
      });
    } else {
      state.addMember('loadBalancerSourceCIDR', `${member},${withoutHostLength(range)}`);
    }
  }
  if (plan.rangesAllowNode) state.addMember('loadBalancerSourceIP', `${member},${ip}`);
  else state.denyNode({ address: ip, protocol, port: port.port });
}

/** The kernel keeps a network of one address as the address. */
function withoutHostLength(range: string): string {
  return range.replace(range.includes(':') ? /\/128$/ : /\/32$/, '');
}

function addNodePort(plan: ServicePlan, context: ServicePortContext): void {
  const { state, nodePortAddresses, hasSctpBitmap, hasUnnamedNodePorts } = context;
  const { nodePort } = plan.port;
  const sets: Readonly<Record<Protocol, readonly [SetKey, SetKey]>> = {
    tcp: ['nodePortTCP', 'nodePortLocalTCP'],
    udp: ['nodePortUDP', 'nodePortLocalUDP'],
    sctp: hasSctpBitmap ? ['nodePortSCTP', 'nodePortLocalSCTP'] : ['nodePortSCTPHash', 'nodePortLocalSCTPHash'],
  };
  const protocol = plan.protocol as Protocol;
  const [every, local] = sets[protocol];
  const isNumber = protocol !== 'sctp' || hasSctpBitmap;
  const members = isNumber ? [String(nodePort)] : nodePortAddresses.map((ip) => `${ip},sctp:${nodePort}`);
  const used = keepsSource(plan.external) ? [every, local] : [every];
  for (const set of used) {
    for (const member of members) state.addMember(set, member);
    if (hasUnnamedNodePorts) state.countMember(set);
  }
}
