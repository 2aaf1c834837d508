import { firstFew } from '../../common/text/firstFew.ts';
import { type LintContext, selectedSpecs } from '../lintContext.ts';

/** Services all of whose Pods run and are not ready: they exist, and nobody answers. */
export function readiness(context: LintContext): void {
  for (const [{ service, manifest }, specs] of selectedSpecs(context)) {
    if (manifest.value.spec.publishNotReadyAddresses === true) continue;
    const pods = specs.flatMap(({ workload, manifest: pod }) => (workload === undefined ? [pod.value as PodLike] : []));
    if (pods.length === 0 || pods.length < specs.filter(({ workload }) => workload === undefined).length) continue;
    const waiting = pods.filter(isNotReady);
    if (waiting.length < pods.length || specs.some(({ workload }) => workload !== undefined)) continue;
    const names = firstFew(
      waiting.map(({ metadata }) => metadata?.name ?? ''),
      3,
    );
    context.complain(manifest, {
      code: 'no-ready-pods',
      path: ['spec', 'selector'],
      message: `no Pod that Service ${service.id} selects is ready: ${names}`,
      hint: `see why: kubectl -n ${service.namespace} describe pod ${waiting[0]?.metadata?.name ?? ''}`,
    });
  }
}

interface PodLike {
  readonly metadata?: { readonly name?: string };
  readonly status?: {
    readonly conditions?: readonly { readonly type?: string; readonly status?: string }[] | null;
  } | null;
}

/** Said so by the Pod itself; one that says nothing is not known to wait. */
function isNotReady({ status }: PodLike): boolean {
  return (status?.conditions ?? []).some(({ type, status: state }) => type === 'Ready' && state !== 'True');
}
