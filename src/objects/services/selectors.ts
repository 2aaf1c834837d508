import { count } from '../../common/text/count.ts';
import type { Labels } from '../../validate/kinds/objectMeta.ts';
import { hasEndpoints } from '../../validate/shown/hasEndpoints.ts';
import { type LintContext, type LintedPodSpec, type LintedService, selectedSpecs } from '../lintContext.ts';
import { nearestSpec } from '../nearestSpec.ts';

/** Selectors that select nothing of what is there, or Pods of workloads that have nothing in common. */
export function selectors(context: LintContext): void {
  const inNamespace = new Map<string, LintedPodSpec[]>();
  for (const spec of context.podSpecs) {
    const list = inNamespace.get(spec.namespace);
    if (list === undefined) inNamespace.set(spec.namespace, [spec]);
    else list.push(spec);
  }
  for (const [linted, specs] of selectedSpecs(context)) {
    if (specs.length === 0) checkNothing(context, linted, inNamespace.get(linted.service.namespace) ?? []);
    else checkWorkloads(context, linted, specs);
  }
}

/**
 * Services whose endpoints are given do not need their Pods in the input, nor those whose Pods somebody else starts. Of a
 * selector that finds nobody a cluster has an EndpointSlice too: an empty one.
 */
function checkNothing(
  { sources, settings, complain }: LintContext,
  { service, manifest }: LintedService,
  present: readonly LintedPodSpec[],
): void {
  if (present.length === 0 || settings.unseen.has(service.namespace)) return;
  if (
    sources
      .slices()
      .get(service.id)
      ?.some(({ value }) => hasEndpoints(value))
  )
    return;
  if (sources.endpoints().get(service.id)?.value.subsets?.length) return;
  const selector = manifest.value.spec.selector ?? {};
  const near = nearestSpec(selector, present);
  complain(manifest, {
    code: 'selector-matches-nothing',
    path: ['spec', 'selector'],
    message: `no Pod or workload of namespace ${service.namespace} (${count(present.length, 'object')}) has the labels ${labelText(selector)}`,
    ...(near === undefined ? {} : { hint: near }),
  });
}

/** Two versions of one program have containers of the same names; two programs do not. */
function checkWorkloads(
  { complain }: LintContext,
  { service, manifest }: LintedService,
  specs: readonly LintedPodSpec[],
): void {
  const [first, ...others] = specs.filter(({ workload }) => workload !== undefined);
  if (first === undefined) return;
  const names = new Set(first.containers.map(({ name }) => name));
  const other = others.find(({ containers }) => !containers.some(({ name }) => names.has(name)));
  if (other === undefined) return;
  complain(manifest, {
    code: 'selector-matches-two-workloads',
    path: ['spec', 'selector'],
    message: `Service ${service.id} selects the Pods of ${first.title} and of ${other.title}, which have no container in common: connections go to either`,
    also: [other.manifest.origin],
    hint: 'give the Pods of each a label of their own, and select it',
  });
}

function labelText(labels: Labels): string {
  return Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(', ');
}
