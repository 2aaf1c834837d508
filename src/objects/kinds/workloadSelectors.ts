import type { Report } from '../../diagnostics/diagnostic.ts';
import { objectDiagnostic } from '../../diagnostics/objectDiagnostic.ts';
import type { RawObject } from './rawObject.ts';

/** Workloads of apps/v1 must say which Pods are theirs, and their own Pods must be among them: the API server refuses others. */
export function workloadSelectors(objects: readonly RawObject[], report: Report): void {
  for (const { apiVersion, kind, value, origin } of objects) {
    if (apiVersion !== 'apps/v1' || !workloads.has(kind)) continue;
    const { selector, template } = treeOf(value.spec);
    if (selector === undefined || selector === null) {
      const hint = 'of apps/v1 it has no default: repeat the labels of spec.template under selector.matchLabels';
      const message = `spec.selector is required for a ${kind} of apps/v1`;
      report(objectDiagnostic(origin, { code: 'workload-selector', path: ['spec'], message, hint }));
      continue;
    }
    const labels = treeOf(treeOf(treeOf(template).metadata).labels);
    for (const [key, wanted] of Object.entries(treeOf(treeOf(selector).matchLabels))) {
      if (labels[key] === wanted) continue;
      const message = `selector asks for ${key}=${String(wanted)}, and the Pods of spec.template ${labels[key] === undefined ? 'do not have that label' : `have ${key}=${String(labels[key])}`}`;
      report(
        objectDiagnostic(origin, {
          code: 'workload-selector',
          path: ['spec', 'selector', 'matchLabels', key],
          message,
        }),
      );
    }
  }
}

const workloads: ReadonlySet<string> = new Set(['Deployment', 'DaemonSet', 'ReplicaSet', 'StatefulSet']);

function treeOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}
