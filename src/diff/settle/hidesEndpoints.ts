import type { CompileInput } from '../../pipeline/compile.ts';

/** Whether these Endpoints come from kubectl's table: without nodes, and perhaps incomplete. */
export function hidesEndpoints({ kind, detail }: { readonly kind: string; readonly detail?: number }): boolean {
  return kind === 'Endpoints' && detail !== undefined;
}

/**
 * Whether endpoints of Services without a selector are somewhere else: Pods show those of all others, and the output of
 * `kubectl get services,pods,nodes -A` has no EndpointSlices.
 */
export function lacksSlices(objects: CompileInput['objects']): boolean {
  if (objects.some(({ kind }) => kind === 'EndpointSlice' || kind === 'Endpoints')) return false;
  return objects.some(({ kind, value }) => {
    const { selector, type, clusterIP } = (value.spec ?? {}) as Readonly<Record<string, unknown>>;
    const isOwn = kind === 'Service' && type !== 'ExternalName' && clusterIP !== 'None';
    return isOwn && Object.keys((selector ?? {}) as object).length === 0;
  });
}
