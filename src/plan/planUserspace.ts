import { type Family, familyNames } from '../common/addresses/family.ts';
import { compareBytes } from '../common/compareBytes.ts';
import type { Report } from '../diagnostics/diagnostic.ts';
import type { PlanDialect } from '../dialect/plan/planDialect.ts';
import type { Model } from '../model/model.ts';
import type { ServicePort } from '../model/servicePort.ts';
import { displayName } from './displayName.ts';
import { servicePortName } from './servicePortName.ts';

/** What userspace mode does on a node: kube-proxy itself accepts connections, and rules lead them to it. One family only. */
export interface UserspacePlan {
  readonly family: Family;
  /** Where traffic from the node itself is sent. */
  readonly hostIP: string;
  /** Where other traffic is sent; undefined: to the address of the interface by which it arrived. */
  readonly listenIP: string | undefined;
  /** By namespace and name, then in the order of the Service's ports. */
  readonly ports: readonly ProxiedPort[];
}

export interface ProxiedPort {
  readonly port: ServicePort;
  /** In the form of the version's comments. */
  readonly name: string;
  /** Where kube-proxy accepts connections for it. */
  readonly proxyPort: number;
}

/** The proxy ports of a running kube-proxy, which chooses them at random: by name and protocol of the Service port. */
export type KnownProxyPorts = (name: string, protocol: string) => number | undefined;

const everyAddress: ReadonlySet<string> = new Set(['0.0.0.0', '::', '']);

/**
 * Plans userspace mode. Proxy ports are the known ones, and for the rest the first free ones of the range. What the
 * mode cannot do is reported.
 */
export function planUserspace(
  { node, config, servicePorts }: Model,
  dialect: PlanDialect,
  report: Report,
  known: KnownProxyPorts = () => undefined,
): UserspacePlan {
  const family = node.primaryFamily;
  const { bindAddress } = config.userspace;
  const listenIP = everyAddress.has(bindAddress) ? undefined : bindAddress;
  const named = proxied(servicePorts, family, report).map((port) => ({ port, name: displayName(port, dialect) }));
  const taken = new Set<number>();
  for (const { port, name } of named) taken.add(known(name, port.protocol) ?? 0);
  const { first, last } = config.userspace.proxyPorts;
  let next = first;
  const ports: ProxiedPort[] = [];
  for (const { port, name } of named) {
    let proxyPort = known(name, port.protocol);
    if (proxyPort === undefined) {
      while (taken.has(next)) next += 1;
      proxyPort = next;
      next += 1;
    }
    if (proxyPort <= last || taken.has(proxyPort)) ports.push({ port, name, proxyPort });
    else reportExhausted(port, first, last, report);
  }
  return { family, hostIP: listenIP ?? node.ip[family], listenIP, ports };
}

/** A Service is proxied only in the family of its first cluster IP, and SCTP is not proxied. */
function proxied(servicePorts: readonly ServicePort[], family: Family, report: Report): readonly ServicePort[] {
  const primary = new Map<string, Family>();
  const chosen: ServicePort[] = [];
  for (const port of servicePorts) {
    const id = `${port.namespace}/${port.name}`;
    const own = primary.get(id);
    if (own === undefined) {
      primary.set(id, port.family);
      if (port.family !== family) reportOtherFamily(port, family, report);
      else if (port.sourceRanges.length > 0) reportRanges(port, report);
    }
    if ((own ?? port.family) !== family || port.family !== family) continue;
    if (port.protocol === 'SCTP') reportSctp(port, report);
    else chosen.push(port);
  }
  // Stable: ports of one Service keep their order.
  return chosen.sort((a, b) => compareBytes(a.namespace, b.namespace) || compareBytes(a.name, b.name));
}

function reportOtherFamily(port: ServicePort, family: Family, report: Report): void {
  report({
    code: 'other-family',
    severity: 'warning',
    message: `Service ${port.namespace}/${port.name} has its first cluster IP in ${familyNames[port.family]}; userspace mode serves ${familyNames[family]} alone on this node`,
    at: [port.origin],
  });
}

function reportSctp(port: ServicePort, report: Report): void {
  report({
    code: 'protocol-unsupported',
    severity: 'warning',
    message: `userspace mode does not proxy SCTP: ${servicePortName(port)} gets no rules`,
    at: [port.origin],
  });
}

function reportRanges(port: ServicePort, report: Report): void {
  report({
    code: 'source-ranges-ineffective',
    severity: 'warning',
    message: `userspace mode has no rules for source ranges: everyone may use the load balancer of ${port.namespace}/${port.name}`,
    at: [port.origin],
  });
}

function reportExhausted(port: ServicePort, first: number, last: number, report: Report): void {
  report({
    code: 'proxy-ports-exhausted',
    severity: 'warning',
    message: `no proxy port is left from ${first} to ${last}: ${servicePortName(port)} gets no rules`,
    at: [port.origin],
    hint: 'give a larger --proxy-port-range',
  });
}
