import { canonicalIp } from '../../common/addresses/ip.ts';
import type { SeenPort } from '../../seen/ports/seenPort.ts';
import { isOrdinaryAddress } from '../../validate/fields/addresses.ts';
import { dns1035LabelProblem, dns1123LabelProblem } from '../../validate/fields/names.ts';
import type { GroupPort, ServiceGroup } from './serviceGroup.ts';

/** What the API server would refuse, and why it was left out. */
export interface Refused {
  readonly what: string;
  readonly why: string;
}

/**
 * Leaves out what a Service in the API cannot have, which edited rules may contain: invalid names, addresses and node
 * ports of two Services, duplicate ports.
 */
export function legalGroups(groups: readonly ServiceGroup[]): {
  readonly groups: readonly ServiceGroup[];
  readonly refused: readonly Refused[];
} {
  const refused: Refused[] = [];
  const claims = { clusterIPs: new Map<string, string>(), nodePorts: new Map<string, string>() };
  const legal = groups.flatMap((group) => {
    const name = `${group.namespace}/${group.name}`;
    const refuse = (what: string, why: string) => refused.push({ what, why });
    const problem = dns1123LabelProblem(group.namespace) ?? dns1035LabelProblem(group.name);
    if (problem !== undefined) {
      refuse(`Service ${name}`, `its name ${problem}`);
      return [];
    }
    const asked = legalHealthCheck(group, name, claims.nodePorts, refuse);
    const ports = legalPorts(group, name, claims.nodePorts, refuse);
    // Within a Service both are one, whatever the protocol.
    const isTaken = asked !== undefined && ports.some(({ nodePort }) => nodePort === asked);
    if (isTaken) refuse(`health-check node port ${asked} of ${name}`, 'a port of the Service has it too');
    const healthCheckNodePort = isTaken ? undefined : asked;
    if (ports.length === 0) return [];
    const legal = new Map(
      ports.flatMap((port) => port.seen.map((one) => [one, withLegalAddress(one, name, claims.clusterIPs, refuse)])),
    );
    const seen = group.seen.flatMap((port) => legal.get(port) ?? []);
    const isUsable = (ip: string) => isOrdinaryAddress(ip, ip.includes(':') ? 'ipv6' : 'ipv4');
    const own = ports.map((port) => ({ ...port, seen: port.seen.flatMap((one) => legal.get(one) ?? []) }));
    return { ...group, ports: own, seen, healthCheckNodePort, externalIPs: group.externalIPs.filter(isUsable) };
  });
  return { groups: legal, refused };
}

type Refuse = (what: string, why: string) => void;

function legalHealthCheck(
  { healthCheckNodePort: number }: ServiceGroup,
  name: string,
  owners: Map<string, string>,
  refuse: Refuse,
): number | undefined {
  if (number === undefined) return undefined;
  const owner = owners.get(`TCP ${number}`);
  owners.set(`TCP ${number}`, owner ?? name);
  if (owner === undefined) return number;
  refuse(`health-check node port ${number} of ${name}`, `${owner} has it too`);
  return undefined;
}

function legalPorts(
  { ports }: ServiceGroup,
  name: string,
  owners: Map<string, string>,
  refuse: Refuse,
): readonly GroupPort[] {
  const names = new Set<string>();
  const numbers = new Set<string>();
  return ports.flatMap((port) => {
    const what = `port ${port.name === '' ? (port.port ?? '') : port.name}/${port.protocol} of ${name}`;
    const isNameless = port.name === '' && ports.length > 1;
    const problem = port.name === '' ? undefined : dns1123LabelProblem(port.name);
    const number = `${port.port} ${port.protocol}`;
    if (isNameless) refuse(what, 'each of several ports needs a name');
    else if (problem !== undefined) refuse(what, `its name ${problem}`);
    else if (names.has(port.name)) refuse(what, 'another port of the Service has its name');
    else if (port.port !== undefined && numbers.has(number)) refuse(what, 'another port has its number');
    else {
      names.add(port.name);
      numbers.add(number);
      return withLegalNodePort(port, name, owners, refuse);
    }
    return [];
  });
}

function withLegalNodePort(port: GroupPort, name: string, owners: Map<string, string>, refuse: Refuse): GroupPort {
  if (port.nodePort === undefined) return port;
  const key = `${port.protocol} ${port.nodePort}`;
  const owner = owners.get(key);
  owners.set(key, owner ?? `${name}:${port.name}`);
  if (owner === undefined) return port;
  refuse(`node port ${port.nodePort}/${port.protocol} of ${name}`, `${owner} has it too`);
  return { ...port, nodePort: undefined };
}

function withLegalAddress(port: SeenPort, name: string, owners: Map<string, string>, refuse: Refuse): SeenPort {
  const ip = port.clusterIP === undefined ? undefined : canonicalIp(port.clusterIP);
  if (ip === undefined) return port;
  const owner = owners.get(ip);
  owners.set(ip, owner ?? name);
  if (owner === undefined || owner === name) return port;
  refuse(`cluster IP ${ip} of ${name}`, `${owner} has it too`);
  return { ...port, clusterIP: undefined };
}
