import { compareIps, formatIp, type Ip, parseIp } from '../../common/addresses/ip.ts';
import { ipPort } from '../../common/addresses/ipPort.ts';
import { compareBytes } from '../../common/compareBytes.ts';
import type { Origin, Report } from '../../diagnostics/diagnostic.ts';
import type { PortOfService, Service } from '../../model/service.ts';
import type { IngressOptions } from './ingressOptions.ts';
import type { IngressTarget, Upstream } from './ingressPlan.ts';

/** A Service and its port, as an Ingress or the command line names them. */
export interface BackendName {
  readonly namespace: string;
  readonly service: string;
  /** Exactly one of the two is given. */
  readonly portNumber?: number;
  readonly portName?: string;
}

/** Where requests for a backend go. What cannot be reached answers 503. */
export interface Backends {
  readonly target: (backend: BackendName | 'resource', usesHttps: boolean, at: Origin | undefined) => IngressTarget;
  /** Of all targets so far, sorted by name. */
  readonly upstreams: () => readonly Upstream[];
}

const unavailable: IngressTarget = { kind: 'status', status: 503 };

/** Looks backends up and reports each that has nothing behind it, once. */
export function createBackends(
  services: ReadonlyMap<string, Service>,
  options: IngressOptions,
  report: Report,
): Backends {
  const upstreams = new Map<string, Upstream>();
  const reported = new Set<string>();
  const warn = (code: 'no-backend' | 'no-endpoints', message: string, at: Origin | undefined): IngressTarget => {
    if (!reported.has(message)) {
      reported.add(message);
      report({ code, severity: 'warning', message: `${message}: requests get 503`, at: at ? [at] : [] });
    }
    return unavailable;
  };
  const target: Backends['target'] = (backend, isHttps, at) => {
    if (backend === 'resource') return warn('no-backend', 'a resource backend cannot be proxied to', at);
    const id = `${backend.namespace}/${backend.service}`;
    const service = services.get(id);
    if (service === undefined) return warn('no-backend', `the input has no Service ${id}`, at);
    const port = findPort(service, backend);
    if (service.kind === 'externalName') return toName(service.externalName, port, backend, isHttps, id, at, warn);
    const portText = backend.portName ?? backend.portNumber ?? '';
    if (port === undefined) return warn('no-backend', `Service ${id} has no TCP port ${portText}`, at);
    const servers = serversOf(service, port, options);
    if (servers.length === 0) {
      const [code, what] =
        options.upstream === 'cluster-ip' && service.kind !== 'headless'
          ? (['no-backend', 'cluster IP'] as const)
          : (['no-endpoints', 'ready endpoint'] as const);
      return warn(code, `port ${portText} of Service ${id} has no ${what}`, at);
    }
    // No name has an underscore, so these cannot be confused.
    const name = `${backend.namespace}_${backend.service}_${port.port}`;
    upstreams.set(name, { name, servers });
    return { kind: 'upstream', name, isHttps };
  };
  return { target, upstreams: () => [...upstreams.values()].sort((a, b) => compareBytes(a.name, b.name)) };
}

function findPort({ ports }: Service, { portName, portNumber }: BackendName): PortOfService | undefined {
  return ports.find(
    ({ name, port, protocol }) =>
      protocol === 'TCP' && (portName === undefined ? port === portNumber : name === portName),
  );
}

function serversOf(service: Service, port: PortOfService, { upstream }: IngressOptions): readonly string[] {
  if (upstream === 'endpoints' || service.kind === 'headless') return readyEndpoints(service, port);
  const [ip] = service.clusterIPs;
  return ip === undefined ? [] : [ipPort(ip, port.port)];
}

/** Each once, by address. */
function readyEndpoints({ endpoints }: Service, { name, protocol }: PortOfService): readonly string[] {
  const found = new Map<string, { readonly ip: Ip; readonly port: number }>();
  for (const { address, isReady, ports } of endpoints) {
    const ip = isReady ? parseIp(address) : undefined;
    if (ip === undefined) continue;
    for (const one of ports) {
      if (one.name !== name || one.protocol !== protocol || one.port === undefined) continue;
      found.set(ipPort(formatIp(ip), one.port), { ip, port: one.port });
    }
  }
  return [...found].sort(([, a], [, b]) => compareIps(a.ip, b.ip) || a.port - b.port).map(([text]) => text);
}

/** An ExternalName needs no declared ports: a number is a port of that host. */
function toName(
  externalName: string,
  port: PortOfService | undefined,
  { portName, portNumber }: BackendName,
  isHttps: boolean,
  id: string,
  at: Origin | undefined,
  warn: (code: 'no-backend', message: string, at: Origin | undefined) => IngressTarget,
): IngressTarget {
  const number = port?.port ?? portNumber;
  if (number === undefined) return warn('no-backend', `Service ${id} has no port ${portName}`, at);
  const host = externalName.toLowerCase().replace(/\.$/, '');
  if (!/^[a-z0-9_]([a-z0-9_.-]*[a-z0-9])?$/.test(host)) {
    return warn('no-backend', `the externalName of Service ${id} is not a host name`, at);
  }
  return { kind: 'name', host, port: number, isHttps };
}
