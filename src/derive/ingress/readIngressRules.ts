import type { Origin, Report } from '../../diagnostics/diagnostic.ts';
import { originIn } from '../../diagnostics/originIn.ts';
import { dns1123SubdomainProblem } from '../../validate/fields/names.ts';
import { quote } from '../../validate/fields/quote.ts';
import type { IngressBackendObject, IngressObject } from '../../validate/kinds/objectsBesideRules.ts';
import type { BackendName } from './backends.ts';
import type { PathType } from './locations.ts';
import type { SelectedIngress } from './selectIngresses.ts';

/** One rule of an Ingress: a host and its paths. */
export interface HostRule {
  /** Lower case; empty: every host that no rule names. */
  readonly host: string;
  readonly paths: readonly HostPath[];
}

export interface HostPath {
  readonly type: PathType;
  /** As PathRule has it. */
  readonly path: string;
  readonly backend: BackendName | 'resource';
  readonly origin: Origin;
}

/** The rules of an Ingress in its own order; what cannot be a host or a path is reported as an error. */
export function readIngressRules(ingress: SelectedIngress, report: Report): readonly HostRule[] {
  const { value, origin } = ingress.manifest;
  const rules: HostRule[] = [];
  for (const [index, { host, http }] of (value.spec?.rules ?? []).entries()) {
    const at = originIn(origin, ['spec', 'rules', index]);
    const name = readHost(host ?? '', originIn(at, ['host']), report);
    if (name === undefined) continue;
    const paths: HostPath[] = [];
    for (const [number, { path, pathType, backend }] of (http?.paths ?? []).entries()) {
      const pathAt = originIn(at, ['http', 'paths', number]);
      const type = readPathType(pathType, originIn(pathAt, ['pathType']), report);
      const text = readPath(path || '/', type ?? 'Prefix', originIn(pathAt, ['path']), report);
      const named = readBackend(backend, ingress.namespace);
      if (type === undefined || text === undefined || named === undefined) continue;
      paths.push({ type, path: text, backend: named, origin: originIn(pathAt, ['backend']) });
    }
    rules.push({ host: name, paths });
  }
  return rules;
}

/** The backend for what no rule matches; undefined: the Ingress has none. */
export function readDefaultBackend({ spec }: IngressObject, namespace: string): BackendName | 'resource' | undefined {
  return readBackend(spec?.defaultBackend ?? spec?.backend, namespace);
}

/** A host in lower case, or a wildcard; undefined: it was reported. */
export function readHost(text: string, at: Origin, report: Report): string | undefined {
  const host = text.toLowerCase();
  if (host === '') return host;
  const problem = dns1123SubdomainProblem(host.startsWith('*.') ? host.slice(2) : host);
  if (problem === undefined) return host;
  report({ code: 'bad-name', severity: 'error', message: `the host ${quote(text)} ${problem}`, at: [at] });
  return undefined;
}

/** v1 has a Service with a port in it, the versions before it have two fields of their own. */
function readBackend(
  backend: IngressBackendObject | null | undefined,
  namespace: string,
): BackendName | 'resource' | undefined {
  if (backend == null) return undefined;
  if (backend.resource != null) return 'resource';
  const service = backend.service?.name ?? backend.serviceName;
  if (!service) return undefined;
  const { name, number } = backend.service?.port ?? {};
  const port = name || number || backend.servicePort;
  return { namespace, service, ...readPort(port ?? '') };
}

/** A text of digits is a number. */
export function readPort(port: number | string): Pick<BackendName, 'portName' | 'portNumber'> {
  return typeof port === 'number' || /^\d+$/.test(port) ? { portNumber: Number(port) } : { portName: port };
}

function readPathType(type: string | null | undefined, at: Origin, report: Report): PathType | undefined {
  if (type == null || type === '' || type === 'ImplementationSpecific') return 'ImplementationSpecific';
  if (type === 'Exact' || type === 'Prefix') return type;
  report({
    code: 'bad-value',
    severity: 'error',
    message: `pathType ${quote(type)} is not Exact, Prefix or ImplementationSpecific`,
    at: [at],
  });
  return undefined;
}

/** nginx keeps the length of a location in one byte, and a Prefix gets a slash. */
const longestPath = 254;

function readPath(path: string, type: PathType, at: Origin, report: Report): string | undefined {
  const problem = !path.startsWith('/')
    ? 'does not begin with "/"'
    : /\p{Cc}/u.test(path)
      ? 'has a control character'
      : new TextEncoder().encode(path).length > longestPath
        ? `is longer than ${longestPath} bytes, the most that nginx matches`
        : undefined;
  if (problem !== undefined) {
    report({ code: 'bad-path', severity: 'error', message: `the path ${quote(path)} ${problem}`, at: [at] });
    return undefined;
  }
  return type === 'Prefix' ? path.replace(/\/+$/, '') || '/' : path;
}
