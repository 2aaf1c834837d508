import type { JsonPath, Report } from '../../diagnostics/diagnostic.ts';
import { objectDiagnostic } from '../../diagnostics/objectDiagnostic.ts';
import type { LintedService } from '../lintContext.ts';
import type { RawObject } from './rawObject.ts';

const gatewayGroup = 'gateway.networking.k8s.io';

/**
 * Backends of Gateway API routes, as those of Ingresses are checked: the Service and its port. Filters, mirrors and what a
 * ReferenceGrant allows are the gateway's own.
 */
export function gatewayRoutes(
  objects: readonly RawObject[],
  services: ReadonlyMap<string, LintedService>,
  namespacesWithServices: ReadonlySet<string>,
  report: Report,
): void {
  for (const object of objects) {
    const { apiVersion, kind, value, origin } = object;
    if (!apiVersion.startsWith(`${gatewayGroup}/`) || !/Route$/.test(kind)) continue;
    const own = text(treeOf(value.metadata).namespace) ?? 'default';
    for (const { reference, path } of backendsOf(value)) {
      const { group = '', kind: backend = 'Service', name, namespace, port } = reference;
      if (group !== '' || backend !== 'Service' || text(name) === undefined) continue;
      const id = `${text(namespace) ?? own}/${text(name)}`;
      if (!namespacesWithServices.has(text(namespace) ?? own)) continue;
      const found = services.get(id);
      const message =
        found === undefined
          ? `the input has no Service ${id}: requests get 500`
          : typeof port === 'number' && !found.service.ports.some((one) => one.port === port)
            ? `Service ${id} has no port ${port}: it has ${found.service.ports.map((one) => one.port).join(', ')}`
            : undefined;
      if (message !== undefined) report(objectDiagnostic(origin, { code: 'no-backend', path, message }));
    }
  }
}

/** Kinds of other APIs about Services that are recognized and not followed, with what that means. */
export function kindsNotFollowed(objects: readonly RawObject[], report: Report): void {
  for (const { group, says, hint } of others) {
    const own = objects.filter(({ apiVersion }) => apiVersion.startsWith(`${group}/`));
    const [first] = own;
    if (first === undefined) continue;
    const kinds = [...new Set(own.map(({ kind }) => kind))].sort().join(', ');
    report({ code: 'kinds-not-followed', severity: 'note', message: `${kinds}: ${says}`, at: [first.origin], hint });
  }
}

const others: readonly { readonly group: string; readonly says: string; readonly hint: string }[] = [
  {
    group: gatewayGroup,
    says: 'the backends of routes are checked; which route takes a request, and the way through the gateway, are not',
    hint: 'k8snet explain gateway-api',
  },
  {
    group: 'multicluster.x-k8s.io',
    says: 'names below clusterset.local and addresses of other clusters are not followed, only Services of this one',
    hint: 'k8snet explain multi-cluster',
  },
];

interface Backend {
  readonly reference: Readonly<Record<string, unknown>>;
  readonly path: JsonPath;
}

function backendsOf(value: Readonly<Record<string, unknown>>): readonly Backend[] {
  return listOf(treeOf(value.spec).rules).flatMap((rule, index) =>
    listOf(treeOf(rule).backendRefs).map((reference, at) => ({
      reference: treeOf(reference),
      path: ['spec', 'rules', index, 'backendRefs', at],
    })),
  );
}

function treeOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
