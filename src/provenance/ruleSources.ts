import { canonicalIp } from '../common/addresses/ip.ts';
import type { Origin } from '../diagnostics/diagnostic.ts';
import type { SourceObject } from '../load/sourceObject.ts';
import type { ServicePort } from '../model/servicePort.ts';
import type { Compiled } from '../pipeline/compile.ts';

/** Something in manifests that rules come from: a port of a Service, or an endpoint. */
export interface RuleSource {
  readonly kind: 'servicePort' | 'endpoint';
  /** `shop/web:http`, `10.244.1.7`. */
  readonly name: string;
  /** Where it is written, the closest place first; empty: nothing that was given says it. */
  readonly at: readonly Origin[];
}

/** The sources of a compile run, and what tells them in a printed rule. */
export interface RuleSources {
  readonly all: readonly RuleSource[];
  readonly ports: readonly { readonly port: ServicePort; readonly source: number }[];
  /** Numbers of endpoints by canonical address. */
  readonly endpoints: ReadonlyMap<string, number>;
  readonly nodeAddresses: ReadonlySet<string>;
}

/** Service ports of both families are one source: they are written at one place. */
export function ruleSources(compiled: Compiled, objects: readonly SourceObject[]): RuleSources {
  const { model } = compiled;
  const all: RuleSource[] = [];
  const written = writtenAt(objects);
  const numbers = new Map<string, number>();
  const endpoints = new Map<string, number>();
  const ports = model.servicePorts.map((port) => {
    const name = nameOf(port);
    let source = numbers.get(name);
    if (source === undefined) {
      source = all.push({ kind: 'servicePort', name, at: portOrigins(port, written) }) - 1;
      numbers.set(name, source);
    }
    for (const { ip } of port.endpoints) {
      const address = canonicalIp(ip) ?? ip;
      if (endpoints.has(address)) continue;
      endpoints.set(address, all.push({ kind: 'endpoint', name: ip, at: written.addresses.get(address) ?? [] }) - 1);
    }
    return { port, source };
  });
  return { all, ports, endpoints, nodeAddresses: nodeAddresses(compiled) };
}

function nameOf({ namespace, name, portName, protocol, port }: ServicePort): string {
  return `${namespace}/${name}:${portName === '' ? `${port}/${protocol.toLowerCase()}` : portName}`;
}

function nodeAddresses({ plans }: Compiled): ReadonlySet<string> {
  return new Set(plans.flatMap(({ node }) => [node.nodeIP, ...node.addresses]));
}

interface Written {
  /** Services by `namespace/name`. */
  readonly services: ReadonlyMap<string, SourceObject>;
  /** Where endpoints are listed, by canonical address. */
  readonly addresses: ReadonlyMap<string, readonly Origin[]>;
}

function writtenAt(objects: readonly SourceObject[]): Written {
  const services = new Map<string, SourceObject>();
  const addresses = new Map<string, Origin[]>();
  for (const object of objects) {
    if (object.kind === 'Service') services.set(objectName(object), object);
    for (const { path, ip } of listedAddresses(object)) {
      const address = canonicalIp(ip) ?? ip;
      const origin = { ...object.origin, path: [...object.origin.path, ...path] };
      const known = addresses.get(address);
      if (known === undefined) addresses.set(address, [origin]);
      else known.push(origin);
    }
  }
  return { services, addresses };
}

function objectName({ value }: SourceObject): string {
  const { namespace, name } = (value.metadata ?? {}) as { readonly namespace?: unknown; readonly name?: unknown };
  return `${typeof namespace === 'string' && namespace !== '' ? namespace : 'default'}/${String(name)}`;
}

/** What checks take for granted is asked for here once more: objects are looked at as they were read. */
function listedAddresses({ kind, value }: SourceObject): readonly { path: Origin['path']; ip: string }[] {
  if (kind === 'EndpointSlice') {
    return list(value.endpoints).flatMap((endpoint, at) =>
      texts(endpoint.addresses).map((ip) => ({ path: ['endpoints', at], ip })),
    );
  }
  if (kind === 'Endpoints') {
    return list(value.subsets).flatMap((subset, at) =>
      ['addresses', 'notReadyAddresses'].flatMap((key) =>
        list(subset[key]).flatMap(({ ip }, item) =>
          typeof ip === 'string' ? [{ path: ['subsets', at, key, item], ip }] : [],
        ),
      ),
    );
  }
  if (kind !== 'Pod') return [];
  const { podIP, podIPs } = (value.status ?? {}) as Readonly<Record<string, unknown>>;
  const ips = list(podIPs).flatMap(({ ip }) => (typeof ip === 'string' ? ip : []));
  return [...new Set([...(typeof podIP === 'string' ? [podIP] : []), ...ips])].map((ip) => ({ path: [], ip }));
}

function list(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.map((item) => (typeof item === 'object' && item !== null ? item : {})) : [];
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function portOrigins(port: ServicePort, { services }: Written): readonly Origin[] {
  const object = services.get(`${port.namespace}/${port.name}`);
  if (object === undefined) return [port.origin];
  const { spec } = object.value as { readonly spec?: Readonly<Record<string, unknown>> };
  const at = list(spec?.ports).findIndex((one) =>
    port.portName === '' ? Number(one.port) === port.port : one.name === port.portName,
  );
  const own = { ...object.origin, path: [...object.origin.path, 'spec', 'ports', at] };
  return at === -1 ? [object.origin] : [own, object.origin];
}
