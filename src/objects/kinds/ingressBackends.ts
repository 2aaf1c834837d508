import type { JsonPath } from '../../diagnostics/diagnostic.ts';
import { quote } from '../../validate/fields/quote.ts';
import type { Manifest } from '../../validate/kinds/manifest.ts';
import type { IngressBackendObject, IngressObject } from '../../validate/kinds/objectsBesideRules.ts';
import type { LintContext } from '../lintContext.ts';

/** Backends of Ingresses: the Service and its port. */
export function ingressBackends(context: LintContext): void {
  for (const manifest of context.cluster.manifests.ingresses) {
    for (const [backend, path] of backendsOf(manifest.value)) check(context, manifest, backend, path);
  }
}

function backendsOf({ spec }: IngressObject): readonly (readonly [IngressBackendObject, JsonPath])[] {
  const found: [IngressBackendObject, JsonPath][] = [];
  if (spec?.defaultBackend) found.push([spec.defaultBackend, ['spec', 'defaultBackend']]);
  if (spec?.backend) found.push([spec.backend, ['spec', 'backend']]);
  for (const [index, { http }] of (spec?.rules ?? []).entries()) {
    for (const [at, { backend }] of (http?.paths ?? []).entries()) {
      if (backend) found.push([backend, ['spec', 'rules', index, 'http', 'paths', at, 'backend']]);
    }
  }
  return found;
}

function check(
  { services, namespacesWithServices, complain }: LintContext,
  manifest: Manifest<IngressObject>,
  { service, serviceName, servicePort }: IngressBackendObject,
  path: JsonPath,
): void {
  const namespace = manifest.value.metadata.namespace || 'default';
  const name = service?.name ?? serviceName;
  if (!name || !namespacesWithServices.has(namespace)) return;
  const found = services.get(`${namespace}/${name}`);
  if (found === undefined) {
    const message = `the input has no Service ${namespace}/${name}: requests get 503`;
    complain(manifest, { code: 'no-backend', path, message });
    return;
  }
  // An ExternalName Service needs no port of its own.
  const asked = service?.port?.name || service?.port?.number || servicePort;
  if (!asked || found.service.kind === 'externalName') return;
  const isNumber = typeof asked === 'number' || /^[0-9]+$/.test(asked);
  const isThere = found.service.ports.some((port) => (isNumber ? port.port === Number(asked) : port.name === asked));
  if (isThere) return;
  const ports = found.service.ports.map((port) =>
    port.name === '' ? String(port.port) : `${port.port} (${port.name})`,
  );
  complain(manifest, {
    code: 'no-backend',
    path,
    message: `Service ${namespace}/${name} has no port ${quote(asked)}: requests get 503`,
    hint: `its ports: ${ports.join(', ')}`,
  });
}
