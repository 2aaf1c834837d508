import type { Report } from '../../diagnostics/diagnostic.ts';
import type { Manifest } from '../../validate/kinds/manifest.ts';
import type { IngressObject } from '../../validate/kinds/objectsBesideRules.ts';
import type { BackendName } from './backends.ts';
import { coveringHost } from './coveringHost.ts';
import type { PathType } from './locations.ts';
import { readDefaultBackend, readIngressRules } from './readIngressRules.ts';
import { selectIngresses } from './selectIngresses.ts';

/** The rule of an Ingress that takes a request. */
export interface UrlRule {
  /** `namespace/name` of the Ingress. */
  readonly ingress: string;
  /** As the rule has it; empty: every host that no rule names. */
  readonly host: string;
  /** Undefined: the default backend, for what no rule takes. */
  readonly path: { readonly type: PathType; readonly path: string } | undefined;
  readonly backend: BackendName | 'resource';
}

/**
 * Which rule takes a request: the host's own rules before a wildcard's and those without a host; of these an exact path, then
 * the longest, then Prefix over ImplementationSpecific, then the older Ingress. Undefined: none does.
 */
export function ruleForUrl(
  ingresses: readonly Manifest<IngressObject>[],
  { hostname, pathname }: Pick<URL, 'hostname' | 'pathname'>,
  report: Report,
): UrlRule | undefined {
  const selected = selectIngresses(ingresses, undefined, report);
  const rules = selected.flatMap((ingress) => readIngressRules(ingress, report).map((rule) => ({ ...rule, ingress })));
  const host = hostname.toLowerCase();
  const named = [host, coveringHost(host), ''].find((name) => rules.some((rule) => rule.host === name));
  const found = rules
    .filter((rule) => rule.host === named)
    .flatMap(({ paths, ingress }) => paths.map((path) => ({ ...path, ingress: ingress.id })))
    .filter((one) => takes(one, pathname))
    .sort(
      (one, other) =>
        rank(other) - rank(one) || other.path.length - one.path.length || rankOfType(one) - rankOfType(other),
    );
  const [best] = found;
  if (best !== undefined) {
    const { ingress, type, path, backend } = best;
    return { ingress, host: named ?? '', path: { type, path }, backend };
  }
  for (const { manifest, namespace, id } of selected) {
    const backend = readDefaultBackend(manifest.value, namespace);
    if (backend !== undefined) return { ingress: id, host: '', path: undefined, backend };
  }
  return undefined;
}

interface Path {
  readonly type: PathType;
  readonly path: string;
}

function takes({ type, path }: Path, asked: string): boolean {
  if (type === 'Exact') return asked === path;
  if (type === 'ImplementationSpecific') return asked.startsWith(path);
  return path === '/' || asked === path || asked.startsWith(`${path}/`);
}

function rank({ type }: Path): number {
  return type === 'Exact' ? 1 : 0;
}

function rankOfType({ type }: Path): number {
  return type === 'Prefix' ? 0 : 1;
}
