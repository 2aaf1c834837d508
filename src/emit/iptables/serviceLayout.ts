import { newBlock, writeText } from '../../common/text/textBytes.ts';
import type { IptablesDialect } from '../../dialect/iptables/iptablesDialect.ts';
import type { Endpoint } from '../../model/endpoint.ts';
import { chainPrefixes } from '../../netfilter/proxyChains.ts';
import { endpointChainLength } from '../../netfilter/writeEndpointChain.ts';
import type { ServicePlan, SharedNodePlan } from '../../plan/plan.ts';
import type { EmitOptions } from './emitOptions.ts';
import type { EndpointNames, NameStore } from './nameStore.ts';

/** Everything that the parts of one service port's rules share: chain names, chains in use, where traffic enters. */
export interface ServiceLayout {
  readonly plan: ServicePlan;
  readonly node: SharedNodePlan;
  readonly dialect: IptablesDialect;
  /** nat rules are written; through 1.9 also for a Service without endpoints. */
  readonly writesNat: boolean;
  readonly svc: LayoutChain;
  readonly svl: LayoutChain;
  readonly xlb: LayoutChain;
  readonly ext: LayoutChain;
  readonly fw: LayoutChain;
  /** Chain for cluster-IP traffic. */
  readonly internalTarget: string;
  /** Chain for traffic to node ports, external IPs and, unless a firewall comes first, load-balancer addresses. */
  readonly externalTarget: string;
  /** Chain for load-balancer addresses. */
  readonly loadBalancerTarget: string;
  /** Chain for external traffic once EXT has marked it. */
  readonly externalPolicyChain: string;
  /** KUBE-SEP chains of all reachable endpoints, in their order. */
  readonly endpointNames: EndpointNames;
  /** Comments of endpoint rules are left out because the cluster is large: of KUBE-SVC and KUBE-SEP, of KUBE-XLB. */
  readonly dropsComments: boolean;
  readonly dropsXlbComments: boolean;
  /** Node-port traffic to localhost is counted by nfacct before it is let through. */
  readonly countsLocalhost: boolean;
  /** `10.0.0.1` or `10.0.0.1/32`, as the version writes addresses. */
  readonly address: (ip: string) => string;
}

export interface LayoutChain {
  readonly name: string;
  readonly isUsed: boolean;
}

/** Computes the layout of one service port once, before its parts are written. */
export function serviceLayout(
  plan: ServicePlan,
  node: SharedNodePlan,
  dialect: IptablesDialect,
  options: EmitOptions,
  names: NameStore,
): ServiceLayout {
  const goesOverLocal = plan.external.over === 'local';
  const writesNat = plan.hasEndpoints || dialect.keepsNatWithoutEndpoints;
  const usesExt = dialect.external === 'ext';
  const hasFirewall = dialect.external === 'svc' ? false : !usesExt || plan.sourceRanges.length > 0;
  // While KUBE-SVL itself drops (1.24), it exists even with nothing to balance over.
  const svlHoldsDrop = dialect.noLocalEndpoints === 'mark drop';

  const hash = names.nextHash(plan.displayName + plan.protocol);
  const use = (prefix: string, isUsed: boolean): LayoutChain => ({ name: prefix + hash, isUsed });
  const svc = use(chainPrefixes.balance, usesExt ? plan.usesClusterEndpoints && plan.cluster.length > 0 : writesNat);
  const svl = use(
    chainPrefixes.localBalance,
    usesExt && plan.usesLocalEndpoints && plan.hasEndpoints && (svlHoldsDrop || plan.local.length > 0),
  );
  const xlb = use(chainPrefixes.localExternal, dialect.external === 'xlb' && goesOverLocal && writesNat);
  const ext = use(chainPrefixes.external, usesExt && plan.hasEndpoints && plan.isExternallyAccessible);
  const fw = use(chainPrefixes.firewall, hasFirewall && writesNat && plan.loadBalancerIPs.length > 0);

  const externalTarget = usesExt ? ext.name : xlb.isUsed ? xlb.name : svc.name;
  const isLarge = node.isLargeCluster && dialect.largeClusterDropsComments !== 'never';
  return {
    plan,
    node,
    dialect,
    writesNat,
    svc,
    svl,
    xlb,
    ext,
    fw,
    internalTarget: plan.internal.over === 'local' ? svl.name : svc.name,
    externalTarget,
    loadBalancerTarget: fw.isUsed ? fw.name : externalTarget,
    externalPolicyChain: usesExt && goesOverLocal ? svl.name : svc.name,
    endpointNames: endpointNamesOf(plan, names),
    dropsComments: isLarge,
    dropsXlbComments: isLarge && dialect.largeClusterDropsComments === 'everywhere',
    countsLocalhost: options.hasNfacct && dialect.countsLocalhostNodePorts && node.usesLocalhostNodePorts,
    address: dialect.writesHostPrefix ? (ip) => (plan.port.family === 'ipv4' ? `${ip}/32` : `${ip}/128`) : (ip) => ip,
  };
}

/** The KUBE-SEP chains of endpoints; every endpoint that a rule names is reachable. */
export function chainsOf({ plan, endpointNames }: ServiceLayout, endpoints: readonly Endpoint[]): readonly string[] {
  const names = endpointNames.texts();
  // Usually it is the same list.
  if (endpoints === plan.reachable) return names;
  const byAddress = new Map(plan.reachable.map(({ address }, at) => [address, names[at] as string]));
  return endpoints.map(({ address }) => byAddress.get(address) as string);
}

/** The same names as bytes. */
export function namesOf(layout: ServiceLayout, endpoints: readonly Endpoint[]): EndpointNames {
  if (endpoints === layout.plan.reachable) return layout.endpointNames;
  const names = chainsOf(layout, endpoints);
  const bytes = newBlock(names.length * endpointChainLength);
  return { bytes, start: 0, end: writeText(bytes, names.join(''), 0), texts: () => names };
}

function endpointNamesOf(plan: ServicePlan, names: NameStore): EndpointNames {
  const seed = plan.displayName + plan.protocol;
  const { reachable } = plan;
  return names.next(reachable.length, (at) => seed + (reachable[at] as Endpoint).address);
}
