import { isLoopbackIp } from '../../common/addresses/ip.ts';
import type { Report } from '../../diagnostics/diagnostic.ts';
import type { NftablesDialect } from '../../dialect/nftables/nftablesDialect.ts';
import type { NftElement } from '../../netfilter/nft/ast.ts';
import { parseAddressInterval } from '../../netfilter/nft/values/interval.ts';
import { writeVerdict } from '../../netfilter/nft/verdict.ts';
import type { NodePlan, Plan, ServicePlan } from '../../plan/plan.ts';
import { emitAddresses } from './addresses.ts';
import { chains } from './chainNames.ts';
import { hasFirewall } from './firewall.ts';
import type { PolicyNames } from './names.ts';
import { reportRangeOverlaps } from './reportRangeOverlaps.ts';
import { longestComment, type ProxyTable, proxyTable } from './table.ts';

/**
 * Reports where kube-proxy writes a transaction that nft or the kernel refuses, or that does not mean what it says. The
 * text is written all the same: a node would get it.
 */
export function reportUnloadable(plan: Plan, dialect: NftablesDialect, report: Report, known?: KnownClaims): void {
  if (dialect.interfaceMatch === 'iif') {
    reportDetector(plan, dialect, report);
  }
  reportClosedNodePorts(plan, report);
  const { node } = plan;
  const table = proxyTable(plan.family, { ...dialect, repeatsElements: true });
  const owners: Owners = new Map();
  for (const service of plan.services) {
    const claims = known?.get(service) ?? claimsOf(table, node, service);
    for (const claim of claims) reportConflict({ claim, service, owners, isRefused: dialect.repeatsElements }, report);
    if (known?.has(service)) continue;
    const isFine = [reportLongComment(table, node, service, report), reportOctalAddresses(service, report)];
    if (isFine.every((one) => one)) known?.set(service, claims);
  }
  if (dialect.sourceRanges === 'elements') {
    reportRangeOverlaps(plan, dialect, report);
  }
  if (!asksFirewallBeforeDnat(dialect)) {
    reportIneffectiveRanges(plan, report);
  }
}

function asksFirewallBeforeDnat({ hooks }: NftablesDialect): boolean {
  const from = hooks.jumps.filter(({ to }) => to === chains.firewallCheck).map((jump) => jump.from);
  return hooks.baseChains.some(({ name, hook }) => hook === 'prerouting' && from.includes(name));
}

function reportIneffectiveRanges({ services }: Plan, report: Report): void {
  for (const service of services) {
    if (hasFirewall(service) && service.hasEndpoints) {
      report({
        code: 'source-ranges-ineffective',
        severity: 'warning',
        message: `${service.displayName}: its source ranges stop nothing that the node forwards: this version looks at them behind the DNAT`,
        at: [service.port.origin],
        hint: 'kube-proxy 1.30 looks at them before',
      });
    }
  }
}

function reportDetector({ node, services }: Plan, dialect: NftablesDialect, report: Report): void {
  const kind = node.localDetector?.kind;
  // One rule for all cluster IPs exists without any Service.
  const marksAll = dialect.clusterIPMark === 'services' && node.clusterMasquerade.masquerade === 'offCluster';
  if (
    (kind !== 'prefix' && kind !== 'bridge') ||
    !(marksAll || services.some((each) => matchesInterface(each, dialect)))
  ) {
    return;
  }
  if (kind === 'prefix') {
    report({
      code: 'rules-not-loadable',
      severity: 'warning',
      message: 'detectLocalMode InterfaceNamePrefix: nft refuses `iif` with a prefix, so no rule at all is loaded',
      at: [],
      hint: 'kube-proxy 1.33.6, 1.34.2 and 1.35 write `iifname`; before, detect local traffic by ClusterCIDR or NodeCIDR',
    });
  } else {
    report({
      code: 'nft-bridge-needed',
      severity: 'note',
      message: 'detectLocalMode BridgeInterface: the bridge must exist when the rules are loaded',
      at: [],
    });
  }
}

/** Whether any rule of the service port distinguishes local Pods from others. */
function matchesInterface(plan: ServicePlan, dialect: NftablesDialect): boolean {
  const { internal, external, shortCircuits, isExternallyAccessible, hasEndpoints } = plan;
  const marksInternal =
    dialect.clusterIPMark !== 'services' && internal.kind === 'balance' && internal.masquerade === 'offCluster';
  const hasExternalChain = isExternallyAccessible && hasEndpoints;
  return marksInternal || (hasExternalChain && (shortCircuits.pods || external.masquerade === 'offCluster'));
}

function reportClosedNodePorts({ node, services }: Plan, report: Report): void {
  const first = services.find(({ port }) => port.nodePort !== 0);
  if (!hasNodePortAddress(node) && first !== undefined) {
    report({
      code: 'node-ports-closed',
      severity: 'warning',
      message: `no ${node.family} address of the node accepts node ports: kube-proxy skips loopback addresses`,
      at: [first.port.origin],
    });
  }
}

function hasNodePortAddress({ nodePorts }: NodePlan): boolean {
  return nodePorts.kind === 'anyLocal' || nodePorts.addresses.some((ip) => !isLoopbackIp(ip));
}

/** An element of a map that a Service port writes: where its key leads. */
interface Claim {
  readonly set: string;
  readonly key: string;
  readonly verdict: string;
}

/** Service ports about which nothing was said by themselves, with what they claim. */
export type KnownClaims = WeakMap<ServicePlan, readonly Claim[]>;

/** By map and key: the first owner, and where the key leads. */
type Owners = Map<string, { readonly verdict: string; readonly service: ServicePlan }>;

function* elementsOf(
  table: ProxyTable,
  node: NodePlan,
  service: ServicePlan,
): Iterable<{ readonly set: string; readonly element: NftElement }> {
  for (const command of emitAddresses(table, node, service, plainNames(service))) {
    if (command.object !== 'element') continue;
    for (const element of command.elements) yield { set: command.set, element };
  }
}

function claimsOf(table: ProxyTable, node: NodePlan, service: ServicePlan): readonly Claim[] {
  const claims: Claim[] = [];
  for (const { set, element } of elementsOf(table, node, service)) {
    const { key, verdict } = element;
    if (verdict !== undefined) claims.push({ set, key: key.join(' . '), verdict: writeVerdict(verdict) });
  }
  return claims;
}

/** Whether there was nothing to say. */
function reportLongComment(table: ProxyTable, node: NodePlan, service: ServicePlan, report: Report): boolean {
  if (table.dialect.cutsComments || service.displayName.length <= longestComment) return true;
  const isTooLong = ({ element }: { readonly element: NftElement }) => (element.comment?.length ?? 0) > longestComment;
  if (![...elementsOf(table, node, service)].some(isTooLong)) return true;
  report({
    code: 'rules-not-loadable',
    severity: 'warning',
    message: `"${service.displayName}" is longer than the ${longestComment} bytes that nft takes as a comment, so no rule at all is loaded`,
    at: [service.port.origin],
    hint: 'shorten the name of the namespace or the Service',
  });
  return false;
}

interface Claimed {
  readonly claim: Claim;
  readonly service: ServicePlan;
  readonly owners: Owners;
  /** The kernel gets both elements; otherwise only the last one. */
  readonly isRefused: boolean;
}

function reportConflict({ claim, service, owners, isRefused }: Claimed, report: Report): void {
  const { set, key, verdict } = claim;
  const name = `${set} ${key}`;
  const owner = owners.get(name);
  if (owner === undefined || (owner.verdict !== verdict && !isRefused)) owners.set(name, { verdict, service });
  if (owner === undefined || owner.verdict === verdict) return;
  const both = `${service.displayName} and ${owner.service.displayName} both claim ${key} in map ${set}`;
  report({
    code: isRefused ? 'rules-not-loadable' : 'address-claimed-twice',
    severity: 'warning',
    message: isRefused
      ? `${both}: the kernel refuses all rules`
      : `${both}: kube-proxy gives it to the one that it writes last`,
    at: [service.port.origin, owner.service.port.origin],
  });
}

/** Nothing is hashed for a check. */
function plainNames({ port, protocol }: ServicePlan): PolicyNames {
  const name = `${port.namespace}/${port.name}/${protocol}/${port.portName}`;
  return {
    service: `service-${name}`,
    local: `local-${name}`,
    external: `external-${name}`,
    firewall: `firewall-${name}`,
  };
}

/** Such as `10.0.010.1`. Without a regular expression, which takes several times as long for a hundred thousand. */
function hasLeadingZero(address: string): boolean {
  let isStart = true;
  for (let at = 0; at < address.length; at += 1) {
    const code = address.charCodeAt(at);
    if (isStart && code === zero && isDigit(address.charCodeAt(at + 1))) return true;
    isStart = code === dot;
  }
  return false;
}

const zero = 0x30;
const dot = 0x2e;

function isDigit(code: number): boolean {
  return code >= zero && code <= 0x39;
}

/** Versions that print addresses as written in the objects keep leading zeros, which nft reads as octal. Whether there are none. */
function reportOctalAddresses(service: ServicePlan, report: Report): boolean {
  const octal: string[] = [];
  const look = (address: string) => {
    if (hasLeadingZero(address) && !address.includes(':')) octal.push(address);
  };
  for (const { ip } of service.reachable) look(ip);
  for (const addresses of [service.externalIPs, service.loadBalancerIPs, service.sourceRanges]) addresses.forEach(look);
  const refused = octal.find((address) => parseAddressInterval(address) === undefined);
  if (refused !== undefined) {
    report({
      code: 'rules-not-loadable',
      severity: 'warning',
      message: `${service.displayName}: nft cannot read ${refused}, whose leading zero makes a number octal, so no rule at all is loaded`,
      at: [service.port.origin],
      hint: 'write addresses without leading zeros',
    });
  } else if (octal[0] !== undefined) {
    report({
      code: 'nft-octal-address',
      severity: 'warning',
      message: `${service.displayName}: nft reads the numbers with a leading zero in ${octal[0]} as octal`,
      at: [service.port.origin],
    });
  }
  return octal.length === 0;
}
