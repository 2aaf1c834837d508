import { compareBytes } from '../../common/compareBytes.ts';
import type { Report } from '../../diagnostics/diagnostic.ts';
import { originIn } from '../../diagnostics/originIn.ts';
import { nameOf, namespaceOf } from '../../validate/fields/describe.ts';
import type { Manifest } from '../../validate/kinds/manifest.ts';
import type { IngressObject } from '../../validate/kinds/objectsBesideRules.ts';

/** An Ingress that counts, with what its annotations say. */
export interface SelectedIngress {
  readonly manifest: Manifest<IngressObject>;
  readonly namespace: string;
  /** `namespace/name`. */
  readonly id: string;
  readonly usesHttps: boolean;
  /** Undefined: the annotations say nothing. */
  readonly redirectsToTls: boolean | undefined;
}

/** The Ingresses of the class in their precedence: older ones first, then by namespace and name. */
export function selectIngresses(
  ingresses: readonly Manifest<IngressObject>[],
  ingressClass: string | undefined,
  report: Report,
): readonly SelectedIngress[] {
  const own = ingresses.filter(({ value }) => ingressClass === undefined || classOf(value) === ingressClass);
  reportOtherClass(ingresses.length - own.length, ingressClass, report);
  reportIgnoredAnnotations(own, report);
  return own
    .map((manifest) => ({ manifest, time: createdAt(manifest.value) }))
    .sort((a, b) => compareTimes(a.time, b.time) || compareNames(a.manifest.value, b.manifest.value))
    .map(({ manifest }) => selected(manifest));
}

const prefix = 'nginx.ingress.kubernetes.io/';
const protocolKey = `${prefix}backend-protocol`;
const redirectKey = `${prefix}ssl-redirect`;
const redirectKeys: readonly string[] = [redirectKey, `${prefix}force-ssl-redirect`];

function classOf({ metadata, spec }: IngressObject): string | undefined {
  return spec?.ingressClassName ?? metadata.annotations?.['kubernetes.io/ingress.class'] ?? undefined;
}

function selected(manifest: Manifest<IngressObject>): SelectedIngress {
  const { metadata } = manifest.value;
  const annotations = metadata.annotations ?? {};
  const isAsked = redirectKeys.some((key) => annotations[key] === 'true');
  return {
    manifest,
    namespace: namespaceOf(metadata),
    id: nameOf(metadata),
    usesHttps: annotations[protocolKey]?.toUpperCase() === 'HTTPS',
    redirectsToTls: isAsked ? true : annotations[redirectKey] === 'false' ? false : undefined,
  };
}

/** Milliseconds; what is not known comes last. */
function createdAt({ metadata }: IngressObject): number {
  const time = metadata.creationTimestamp ? Date.parse(metadata.creationTimestamp) : Number.NaN;
  return Number.isNaN(time) ? Number.POSITIVE_INFINITY : time;
}

function compareTimes(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

function compareNames(a: IngressObject, b: IngressObject): number {
  const namespaces = compareBytes(namespaceOf(a.metadata), namespaceOf(b.metadata));
  return namespaces || compareBytes(a.metadata.name, b.metadata.name);
}

function reportOtherClass(count: number, ingressClass: string | undefined, report: Report): void {
  if (count === 0) return;
  report({
    code: 'other-class',
    severity: 'note',
    message: `${count} ${count === 1 ? 'Ingress is' : 'Ingresses are'} not of class "${ingressClass}" and left out`,
    at: [],
  });
}

/** Each annotation once, at the first Ingress that has it. */
function reportIgnoredAnnotations(ingresses: readonly Manifest<IngressObject>[], report: Report): void {
  const seen = new Set<string>();
  for (const { value, origin } of ingresses) {
    for (const [key, text] of Object.entries(value.metadata.annotations ?? {})) {
      if (!key.startsWith(prefix) || isUnderstood(key, text) || seen.has(key)) continue;
      seen.add(key);
      report({
        code: 'annotation-ignored',
        severity: 'warning',
        message: `the annotation ${key} is ignored: what it asks for is not in the output`,
        at: [originIn(origin, ['metadata', 'annotations', key])],
      });
    }
  }
}

function isUnderstood(key: string, text: string): boolean {
  if (key === protocolKey) return ['HTTP', 'HTTPS'].includes(text.toUpperCase());
  return redirectKeys.includes(key) && (text === 'true' || text === 'false');
}
