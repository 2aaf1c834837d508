import { compareBytes } from '../../common/compareBytes.ts';
import type { Report } from '../../diagnostics/diagnostic.ts';
import { originIn } from '../../diagnostics/originIn.ts';
import type { Service } from '../../model/service.ts';
import type { Manifest } from '../../validate/kinds/manifest.ts';
import type { IngressObject } from '../../validate/kinds/objectsBesideRules.ts';
import { type Backends, createBackends } from './backends.ts';
import { coveringHost } from './coveringHost.ts';
import type { IngressOptions } from './ingressOptions.ts';
import type { HostPlan, IngressPlan, IngressTarget } from './ingressPlan.ts';
import { locations, type PathRule } from './locations.ts';
import { readDefaultBackend, readIngressRules, readPort } from './readIngressRules.ts';
import { type SelectedIngress, selectIngresses } from './selectIngresses.ts';
import { tlsHosts } from './tlsHosts.ts';

/** What one host has collected from the Ingresses that name it, in their precedence. */
interface HostRules {
  readonly rules: PathRule[];
  /** The first of the Ingresses' own default backends. */
  otherwise: IngressTarget | undefined;
  redirects: boolean | undefined;
}

const notFound: IngressTarget = { kind: 'status', status: 404 };

/**
 * Joins the Ingresses of a class into one proxy. `resolvers` gives the DNS servers of the cluster, and is asked only if
 * a backend is a name. Undefined: an error was reported.
 */
export function planIngress(
  ingresses: readonly Manifest<IngressObject>[],
  services: readonly Service[],
  options: IngressOptions,
  resolvers: () => readonly string[],
  report: Report,
): IngressPlan {
  const selected = selectIngresses(ingresses, options.ingressClass, report);
  if (selected.length === 0) reportNone(report);
  const backends = createBackends(new Map(services.map((service) => [service.id, service])), options, report);
  const byHost = collectHosts(selected, backends, report);
  const tls = tlsHosts(selected, report);
  const general = defaultTarget(options, backends);
  const unnamed = byHost.get('');
  const unknown = firstDefault(selected, backends) ?? general;
  const unknownHosts = locations(unnamed?.rules ?? [], unknown);
  const hosts: HostPlan[] = [];
  // A host that only `tls` names is served by the wildcard that covers it, or otherwise like an unknown host.
  for (const host of new Set([...byHost.keys(), ...tls.hosts])) {
    if (host === '') continue;
    const own = byHost.get(host) ?? byHost.get(coveringHost(host));
    const secret = tls.secretOf(host);
    hosts.push({
      host,
      tls: secret,
      redirects:
        secret !== undefined &&
        ((byHost.has(host) ? undefined : tls.redirectsOf(host)) ?? own?.redirects ?? options.redirectsToTls),
      locations: own === undefined ? unknownHosts : locations(own.rules, own.otherwise ?? general),
    });
  }
  hosts.sort((a, b) => Number(isWildcard(a)) - Number(isWildcard(b)) || compareBytes(a.host, b.host));
  const all = [...hosts.flatMap((host) => host.locations), ...unknownHosts];
  const usesNames = all.some(({ target }) => target.kind === 'name');
  return { upstreams: backends.upstreams(), hosts, unknownHosts, resolvers: usesNames ? resolvers() : [] };
}

function isWildcard({ host }: HostPlan): boolean {
  return host.startsWith('*');
}

/** By host, the one without a name included. Of two equal rules the first one stays. */
function collectHosts(
  ingresses: readonly SelectedIngress[],
  backends: Backends,
  report: Report,
): ReadonlyMap<string, HostRules> {
  const byHost = new Map<string, HostRules>();
  const owners = new Map<string, string>();
  for (const ingress of ingresses) {
    for (const { host, paths } of readIngressRules(ingress, report)) {
      let own = byHost.get(host);
      if (own === undefined) {
        own = { rules: [], otherwise: undefined, redirects: undefined };
        byHost.set(host, own);
      }
      own.otherwise ??= ownDefault(ingress, backends);
      own.redirects ??= ingress.redirectsToTls;
      for (const { type, path, backend, origin } of paths) {
        const key = `${host} ${type} ${path}`;
        const owner = owners.get(key);
        if (owner !== undefined) {
          report({
            code: 'duplicate-path',
            severity: 'warning',
            message: `${type} path ${JSON.stringify(path)} of ${host === '' ? 'any host' : `host ${host}`} is that of Ingress ${owner} already; the one of ${ingress.id} is dropped`,
            at: [origin],
            hint: 'the older Ingress wins',
          });
          continue;
        }
        owners.set(key, ingress.id);
        own.rules.push({ type, path, target: backends.target(backend, ingress.usesHttps, origin) });
      }
    }
  }
  return byHost;
}

function ownDefault(ingress: SelectedIngress, backends: Backends): IngressTarget | undefined {
  const { value, origin } = ingress.manifest;
  const backend = readDefaultBackend(value, ingress.namespace);
  const field = value.spec?.defaultBackend == null ? 'backend' : 'defaultBackend';
  return backend && backends.target(backend, ingress.usesHttps, originIn(origin, ['spec', field]));
}

function firstDefault(ingresses: readonly SelectedIngress[], backends: Backends): IngressTarget | undefined {
  const first = ingresses.find(({ manifest, namespace }) => readDefaultBackend(manifest.value, namespace));
  return first && ownDefault(first, backends);
}

/** Of the command line. */
function defaultTarget({ defaultBackend }: IngressOptions, backends: Backends): IngressTarget {
  if (defaultBackend === undefined) return notFound;
  const { namespace, service, port } = defaultBackend;
  return backends.target({ namespace, service, ...readPort(port) }, false, undefined);
}

function reportNone(report: Report): void {
  report({
    code: 'no-ingresses',
    severity: 'warning',
    message: 'no Ingress is left to serve: every request gets the default backend',
    at: [],
    hint: 'kubectl get ingresses,services,endpointslices -A -o yaml',
  });
}
