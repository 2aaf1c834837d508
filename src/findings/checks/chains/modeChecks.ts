import { isLoopbackIp } from '../../../common/addresses/ip.ts';
import { askByDialect, type ByDialect } from '../../../dialect/dialect.ts';
import type { IpvsDialect } from '../../../dialect/ipvs/ipvsDialect.ts';
import type { NftablesDialect } from '../../../dialect/nftables/nftablesDialect.ts';
import type { ProxyConfig } from '../../../model/proxyConfig.ts';
import type { Compiled } from '../../../pipeline/compile.ts';
import type { Plan, ServicePlan } from '../../../plan/plan.ts';
import { servicePortName } from '../../../plan/servicePortName.ts';
import type { Finding } from '../../finding.ts';
import { makeFinding } from '../../makeFinding.ts';

/** K8N507, 705, 708 and 801–803: effects of kube-proxy's mode and settings on a Service that its manifest does not show. */
export function modeChecks(
  { model: { config }, dialect }: Pick<Compiled, 'model' | 'dialect'>,
  plan: Plan,
): readonly Finding[] {
  return askByDialect(checks, dialect, plan, config);
}

/** Userspace mode leaves to kube-proxy's process what other modes express in rules. */
const checks: ByDialect<[plan: Plan, config: ProxyConfig], readonly Finding[]> = {
  iptables: (_, plan) => [
    ...nodePortLimits(plan, { opensLoopback: !plan.node.excludesLoopbackNodePorts }),
    ...withoutLoopback(plan),
  ],
  ipvs: ({ spelling }, plan) => [
    ...nodePortLimits(plan, { opensLoopback: spelling.opensLoopbackNodePorts }),
    ...persistence(plan),
    ...refusedLocal(spelling, plan),
  ],
  nftables: ({ spelling }, plan, { nodePortAddresses, conntrack }) => [
    ...(nodePortAddresses.length === 0 ? primaryAddressOnly(plan) : nodePortLimits(plan, { opensLoopback: false })),
    ...(filtersOutputFirst(spelling) ? droppedForAll(plan) : []),
    ...(plan.node.dropsInvalid || conntrack.tcpBeLiberal || plan.services.length === 0 ? [] : [invalidPackets()]),
  ],
  userspace: () => [],
};

/** At most this many addresses are named. */
const mostNamed = 5;

function nodePortLimits(plan: Plan, { opensLoopback }: { readonly opensLoopback: boolean }): readonly Finding[] {
  const { nodePorts, addresses, family } = plan.node;
  if (nodePorts.kind === 'anyLocal' || !hasNodePorts(plan)) return [];
  const open = nodePorts.addresses.filter((address) => opensLoopback || !isLoopbackIp(address));
  if (open.length === 0) {
    const but = nodePorts.addresses.length > 0 ? ' but loopback' : '';
    return [
      makeFinding('K8N507', {
        what: `nodePortAddresses holds no ${family} address of this node${but}: no node port answers`,
      }),
    ];
  }
  const closed = addresses.filter((address) => !open.includes(address));
  if (closed.length === 0) return [];
  const named = (list: readonly string[]) => list.slice(0, mostNamed).join(', ');
  return [
    makeFinding('K8N507', { what: `node ports answer on ${named(open)}, and not on ${named(closed)} of this node` }),
  ];
}

/** localhostNodePorts is off. IPv6 never has such node ports, and restrictions by address have their own finding. */
function withoutLoopback(plan: Plan): readonly Finding[] {
  const { family, nodePorts, usesLocalhostNodePorts } = plan.node;
  if (family === 'ipv6' || nodePorts.kind === 'addresses' || usesLocalhostNodePorts || !hasNodePorts(plan)) return [];
  return [makeFinding('K8N507', { what: 'node ports do not answer on 127.0.0.1' })];
}

function hasNodePorts({ services }: Plan): boolean {
  return services.some(({ port }) => port.nodePort > 0);
}

/** A Service of type NodePort is meant to be reached there; load balancers find the primary address by themselves. */
function isAskedByNodePort({ services }: Plan): boolean {
  return services.some(({ port }) => port.nodePort > 0 && port.type === 'NodePort');
}

function persistence({ services }: Plan): readonly Finding[] {
  return services
    .filter(({ port }) => port.affinitySeconds !== undefined)
    .map((service) =>
      makeFinding('K8N705', {
        what: `a client keeps its endpoint for ${service.port.affinitySeconds} seconds after its last connection is forgotten, not after its last packet`,
        service: servicePortName(service.port),
        places: [service.port.origin],
      }),
    );
}

/** From 1.26 to 1.29 the filter of unused ports knows every set of Services but that of external IPs with policy Local. */
function refusedLocal(
  { filterParts, passesAccessFilter, bindsOwnAddresses }: IpvsDialect,
  plan: Plan,
): readonly Finding[] {
  if (!filterParts.includes('accessFilter') || passesAccessFilter.includes('externalIPLocal')) return [];
  const own = bindsOwnAddresses ? [] : plan.node.addresses;
  return plan.services.flatMap(({ port, externalIP, externalIPs, loadBalancerIPs }) => {
    const refused = externalIPs.filter((ip) => !loadBalancerIPs.includes(ip) && !own.includes(ip));
    if (externalIP.masquerade !== 'never' || refused.length === 0) return [];
    const named = refused.slice(0, mostNamed).join(', ');
    return makeFinding('K8N708', {
      what: `policy Local: what comes to ${named} from elsewhere is refused`,
      service: servicePortName(port),
      places: [port.origin],
    });
  });
}

function primaryAddressOnly(plan: Plan): readonly Finding[] {
  if (plan.node.nodePorts.kind === 'anyLocal' || !isAskedByNodePort(plan)) return [];
  const closed = plan.node.addresses.filter((address) => address !== plan.node.nodeIP);
  const seen = `node ports answer on ${plan.node.nodeIP} only, not on ${closed.slice(0, mostNamed).join(', ')}`;
  return closed.length === 0 ? [] : [makeFinding('K8N802', { what: seen })];
}

/** The output hook checks for Services without endpoints before its DNAT; since 1.33.6 the DNAT comes first. */
function filtersOutputFirst({ hooks }: NftablesDialect): boolean {
  const dnat = hooks.baseChains.find(({ type, hook }) => type === 'nat' && hook === 'output');
  const checks = hooks.jumps.filter(({ to }) => to.endsWith('endpoints-check')).map(({ from }) => from);
  return hooks.baseChains.some(
    ({ name, hook, priority }) => hook === 'output' && checks.includes(name) && priority < (dnat?.priority ?? 0),
  );
}

function droppedForAll({ services }: Plan): readonly Finding[] {
  return services.filter(isDropped).map((service) =>
    makeFinding('K8N801', {
      what: `policy Local and no endpoint here: what the node itself sends to ${externalAddresses(service).slice(0, mostNamed).join(', ')} is dropped`,
      service: servicePortName(service.port),
      places: [service.port.origin],
    }),
  );
}

function isDropped(service: ServicePlan): boolean {
  return service.external.kind === 'drop' && service.cluster.length > 0 && externalAddresses(service).length > 0;
}

function externalAddresses({ loadBalancerIPs, port }: ServicePlan): readonly string[] {
  return [...loadBalancerIPs, ...port.externalIPs];
}

function invalidPackets(): Finding {
  return makeFinding('K8N803', {
    what: 'no rule drops packets that conntrack marks INVALID, and kube-proxy leaves nf_conntrack_tcp_be_liberal as it is',
  });
}
