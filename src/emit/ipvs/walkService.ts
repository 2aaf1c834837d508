import { canonicalIp } from '../../common/ip.ts';
import type { Report } from '../../diagnostics/diagnostic.ts';
import type { Endpoint } from '../../model/endpoint.ts';
import type { RealServer, VirtualService } from '../../netfilter/ipvs/ast.ts';
import type { Route, ServicePlan } from '../../plan/plan.ts';
import type { NodeState } from './nodeState.ts';
import type { SetKey } from './setTable.ts';

/** What all service ports of a family share. */
export interface WalkContext {
  readonly state: NodeState;
  readonly scheduler: string;
  readonly nodePortAddresses: readonly string[];
  /** Addresses of the node's own interfaces; they are not bound to kube-ipvs0 as well. */
  readonly ownAddresses: ReadonlySet<string>;
  readonly report: Report;
}

type Protocol = 'tcp' | 'udp' | 'sctp';

/** Adds what kube-proxy makes of one service port: members of its sets, virtual services, addresses of kube-ipvs0. */
export function walkService(plan: ServicePlan, context: WalkContext): void {
  const { port } = plan;
  const { state } = context;
  const protocol = plan.protocol as Protocol;

  for (const endpoint of plan.all) {
    if (!endpoint.isLocal) continue;
    const ip = canonicalIp(endpoint.ip) ?? endpoint.ip;
    state.addMember('loopBack', `${ip},${protocol}:${endpoint.port},${ip}`);
  }

  state.addMember('clusterIP', `${port.clusterIP},${protocol}:${port.port}`);
  addService(port.clusterIP, port.port, serversOf(plan, plan.internal));
  state.bind(port.clusterIP);

  if (!plan.isExternallyAccessible && port.healthCheckNodePort === 0) return;
  const external = serversOf(plan, plan.external);
  const ofExternalIPs = serversOf(plan, plan.externalIP);
  const externalSet = plan.externalIP.masquerade === 'never' ? 'externalIPLocal' : 'externalIP';
  for (const ip of plan.externalIPs) {
    state.addMember(externalSet, `${ip},${protocol}:${port.port}`);
    addService(ip, port.port, ofExternalIPs);
    bindUnlessOwn(ip);
  }
  for (const ip of plan.loadBalancerIPs) {
    addLoadBalancer(plan, ip, context);
    addService(ip, port.port, external);
    bindUnlessOwn(ip);
  }
  if (port.nodePort !== 0) {
    // Without an address for node ports kube-proxy leaves the rest of the service port, the health check too.
    if (context.nodePortAddresses.length === 0) return;
    addNodePort(plan, context);
    for (const ip of context.nodePortAddresses) addService(ip, port.nodePort, external);
  }
  if (port.healthCheckNodePort !== 0) state.addMember('healthCheckNodePort', String(port.healthCheckNodePort));

  function addService(ip: string, number: number, servers: readonly RealServer[]): void {
    const service: VirtualService = {
      address: { kind: 'address', protocol, ip, port: number },
      scheduler: context.scheduler,
      ...(plan.affinitySeconds !== undefined && { persistence: { seconds: plan.affinitySeconds } }),
      // Maglev looks at the client's port too, or all connections of a client would go to one server.
      flags: context.scheduler === 'mh' ? ['mh-port'] : [],
      servers,
    };
    state.addService(service);
  }

  function bindUnlessOwn(ip: string): void {
    if (!context.ownAddresses.has(ip)) state.bind(ip);
  }
}

/**
 * A virtual service without servers refuses: IPVS mode neither drops nor rejects by a rule. (Policy Local without an
 * endpoint here mostly falls back to those of the cluster; a port that only has a cluster IP has none of them either.)
 */
function serversOf(plan: ServicePlan, route: Route): readonly RealServer[] {
  const endpoints = route.kind === 'balance' ? plan[route.over] : [];
  const servers = new Map<string, RealServer>();
  for (const endpoint of endpoints) {
    const server = realServer(endpoint);
    servers.set(`${server.ip} ${server.port}`, server);
  }
  return [...servers.values()];
}

function realServer({ ip, port }: Endpoint): RealServer {
  return { ip: canonicalIp(ip) ?? ip, port, forward: 'masquerade', weight: 1 };
}

function addLoadBalancer(plan: ServicePlan, ip: string, { state, report }: WalkContext): void {
  const { port, protocol } = plan;
  const member = `${ip},${protocol}:${port.port}`;
  state.addMember('loadBalancer', member);
  if (plan.external.masquerade === 'never') state.addMember('loadBalancerLocal', member);
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

function addNodePort(plan: ServicePlan, { state, nodePortAddresses }: WalkContext): void {
  const { nodePort } = plan.port;
  const sets: Readonly<Record<Protocol, readonly [SetKey, SetKey]>> = {
    tcp: ['nodePortTCP', 'nodePortLocalTCP'],
    udp: ['nodePortUDP', 'nodePortLocalUDP'],
    sctp: ['nodePortSCTP', 'nodePortLocalSCTP'],
  };
  const protocol = plan.protocol as Protocol;
  const [every, local] = sets[protocol];
  // No bitmap knows SCTP.
  const members = protocol === 'sctp' ? nodePortAddresses.map((ip) => `${ip},sctp:${nodePort}`) : [String(nodePort)];
  for (const member of members) {
    state.addMember(every, member);
    if (plan.external.masquerade === 'never') state.addMember(local, member);
  }
}
