import { canonicalIp } from '../../common/addresses/ip.ts';
import type { SeenServices } from '../../model/seenServices.ts';
import type { CompileInput } from '../../pipeline/compile.ts';
import type { SeenPort } from '../../seen/ports/seenPort.ts';
import { servicesOf } from '../../seen/ports/seenServices.ts';

/**
 * What rules of IPVS mode show of Services: they name none, but a Service with a cluster IP is the one that has its virtual
 * servers there.
 */
export function servicesByAddress(objects: CompileInput['objects'], shown: readonly SeenPort[]): SeenServices {
  const byAddress = new Map(shown.map((port) => [`${port.clusterIP} ${port.protocol} ${port.port}`, port]));
  const ports = objects.flatMap(({ kind, value }): readonly SeenPort[] =>
    (kind === 'Service' ? portsOf(value) : []).flatMap(({ at, ...name }) => {
      const port = byAddress.get(at);
      return port === undefined ? [] : { ...port, ...name };
    }),
  );
  return servicesOf(ports);
}

interface ObjectPort {
  readonly service: string;
  readonly portName: string;
  /** `10.96.0.10 UDP 53`. */
  readonly at: string;
}

/** Objects are checked later: anything may be wrong with these. */
function portsOf(value: Readonly<Record<string, unknown>>): readonly ObjectPort[] {
  const { metadata, spec } = value as { readonly metadata?: Names; readonly spec?: Spec };
  const { name, namespace = 'default' } = metadata ?? {};
  const { clusterIP, clusterIPs, ports } = spec ?? {};
  const ips = Array.isArray(clusterIPs) && clusterIPs.length > 0 ? (clusterIPs as readonly unknown[]) : [clusterIP];
  const listed = Array.isArray(ports) ? (ports as readonly (Port | null)[]) : [];
  return ips
    .flatMap((ip) => canonicalIp(String(ip)) ?? [])
    .flatMap((ip) =>
      listed.map((port) => ({
        service: `${String(namespace)}/${String(name)}`,
        portName: String(port?.name ?? ''),
        at: `${ip} ${String(port?.protocol ?? 'TCP')} ${String(port?.port)}`,
      })),
    );
}

interface Names {
  readonly name?: unknown;
  readonly namespace?: unknown;
}

interface Spec {
  readonly clusterIP?: unknown;
  readonly clusterIPs?: unknown;
  readonly ports?: unknown;
}

interface Port {
  readonly name?: unknown;
  readonly port?: unknown;
  readonly protocol?: unknown;
}
