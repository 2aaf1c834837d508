import type { Report } from '../../diagnostics/diagnostic.ts';
import type { NftablesDialect } from '../../dialect/nftables/nftablesDialect.ts';
import type { NftElement } from '../../netfilter/nft/ast.ts';
import { writeVerdict } from '../../netfilter/nft/verdict.ts';
import type { Plan, ServicePlan } from '../../plan/plan.ts';
import { emitAddresses } from './addresses.ts';
import { type ProxyTable, proxyTable } from './table.ts';

/**
 * Reports where kube-proxy writes a transaction that nft or the kernel refuses, or that means something else than
 * it says. The text is written all the same: it is what a node would be given.
 */
export function reportUnloadable(plan: Plan, dialect: NftablesDialect, report: Report): void {
  if (dialect.interfaceMatch === 'iif') reportDetector(plan, report);
  reportClosedNodePorts(plan, report);
  const table = proxyTable(plan.family);
  const claims: Claims = new Map();
  for (const service of plan.services) {
    reportAddresses(table, service, claims, report);
    reportOctalEndpoints(service, report);
  }
}

/** By map and key: who came first, and where the key leads. */
type Claims = Map<string, { readonly verdict: string; readonly service: ServicePlan }>;

function reportDetector({ node, services }: Plan, report: Report): void {
  const kind = node.localDetector?.kind;
  if ((kind !== 'prefix' && kind !== 'bridge') || !services.some((service) => matchesInterface(service))) {
    return;
  }
  if (kind === 'prefix') {
    report({
      code: 'rules-not-loadable',
      severity: 'warning',
      message: 'detectLocalMode InterfaceNamePrefix: nft refuses `iif` with a prefix, so no rule at all is loaded',
      at: [],
      hint: 'detect local traffic by ClusterCIDR or NodeCIDR in nftables mode; kube-proxy 1.31 writes `iifname`',
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

/** Whether any rule of the service port tells local pods from others. */
function matchesInterface(service: ServicePlan): boolean {
  const isInternal = service.internal.kind === 'balance' && service.internal.masquerade === 'offCluster';
  return isInternal || (service.bypassesLocal.pods && service.isExternallyAccessible && service.hasEndpoints);
}

function reportClosedNodePorts({ node, services }: Plan, report: Report): void {
  const { nodePorts } = node;
  const isOpen =
    nodePorts.kind === 'anyLocal' || nodePorts.addresses.some((ip) => !ip.startsWith('127.') && ip !== '::1');
  const first = services.find(({ port }) => port.nodePort !== 0);
  if (!isOpen && first !== undefined) {
    report({
      code: 'node-ports-closed',
      severity: 'warning',
      message: `no ${node.family} address of the node accepts node ports: kube-proxy passes over loopback addresses`,
      at: [first.port.origin],
    });
  }
}

/** nft keeps at most this many bytes of an element's comment and refuses the file otherwise. */
const longestComment = 128;

function reportAddresses(table: ProxyTable, service: ServicePlan, claims: Claims, report: Report): void {
  let isTooLong = false;
  for (const command of emitAddresses(table, service, plainNames(service))) {
    if (command.object !== 'element') {
      continue;
    }
    for (const element of command.elements) {
      isTooLong = isTooLong || (element.comment?.length ?? 0) > longestComment;
      reportConflict(command.set, element, service, claims, report);
    }
  }
  if (isTooLong) {
    report({
      code: 'rules-not-loadable',
      severity: 'warning',
      message: `"${service.displayName}" is longer than the ${longestComment} bytes that nft takes as a comment, so no rule at all is loaded`,
      at: [service.port.origin],
      hint: 'shorten the name of the namespace or the Service',
    });
  }
}

function reportConflict(set: string, element: NftElement, service: ServicePlan, claims: Claims, report: Report): void {
  if (element.verdict === undefined) {
    return;
  }
  const key = element.key.join(' . ');
  const verdict = writeVerdict(element.verdict);
  const claim = claims.get(`${set} ${key}`);
  if (claim === undefined) {
    claims.set(`${set} ${key}`, { verdict, service });
  } else if (claim.verdict !== verdict) {
    const other = claim.service.displayName;
    report({
      code: 'rules-not-loadable',
      severity: 'warning',
      message: `${service.displayName} and ${other} both claim ${key} in map ${set}: the kernel refuses all rules`,
      at: [service.port.origin, claim.service.port.origin],
    });
  }
}

/** Nothing is hashed for a check. */
function plainNames({ port, protocol }: ServicePlan) {
  const name = `${port.namespace}/${port.name}/${protocol}/${port.portName}`;
  return {
    service: `service-${name}`,
    local: `local-${name}`,
    external: `external-${name}`,
    firewall: `firewall-${name}`,
  };
}

const leadingZero = /^0\d|\.0\d/;

function reportOctalEndpoints(service: ServicePlan, report: Report): void {
  const octal = service.reachable.find(({ ip }) => leadingZero.test(ip) && !ip.includes(':'));
  if (octal !== undefined) {
    report({
      code: 'nft-octal-address',
      severity: 'warning',
      message: `${service.displayName}: nft reads the numbers with a leading zero in ${octal.ip} as octal`,
      at: [service.port.origin],
    });
  }
}
