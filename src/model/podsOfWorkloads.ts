import { addTo } from '../common/addTo.ts';
import { isFinished } from '../validate/isFinished.ts';
import type { Manifest } from '../validate/kinds/manifest.ts';
import type { PodObject, WorkloadObject } from '../validate/kinds/manifests.ts';
import type { Labels, ObjectMeta } from '../validate/kinds/objectMeta.ts';
import { type LabelSelector, readLabelSelector, selectsLabels } from './labelSelector.ts';

/**
 * The given Pods of each workload that has any: those that name it as their owner (a Deployment by way of its
 * ReplicaSet), and of Pods without an owner those that its selector finds. Finished Pods count for nobody.
 */
export function podsOfWorkloads(
  workloads: readonly Manifest<WorkloadObject>[],
  pods: readonly Manifest<PodObject>[],
): ReadonlyMap<Manifest<WorkloadObject>, readonly Manifest<PodObject>[]> {
  const byNamespace = new Map<string, Manifest<PodObject>[]>();
  for (const pod of pods) if (!isFinished(pod.value)) addTo(byNamespace, namespaceOf(pod.value.metadata), pod);
  const found = new Map<Manifest<WorkloadObject>, Manifest<PodObject>[]>();
  for (const workload of workloads) {
    const near = byNamespace.get(namespaceOf(workload.value.metadata));
    if (near === undefined) continue;
    const selector = selectorOf(workload.value);
    for (const pod of near) if (isPodOf(pod.value, workload.value, selector)) addTo(found, workload, pod);
  }
  return found;
}

/** The object names the workload as its owner; a Deployment may stand behind a ReplicaSet, whose name begins with its own. */
export function isOwnedBy({ ownerReferences }: ObjectMeta, workload: WorkloadObject): boolean {
  const { kind, metadata } = workload;
  return ownersIn(ownerReferences).some(
    (owner) =>
      (owner.kind === kind && owner.name === metadata.name) ||
      (kind === 'Deployment' && owner.kind === 'ReplicaSet' && isSetOf(owner.name, metadata.name)),
  );
}

/** `web-7d9f8c6b5` of `web`: the hash of the template has no hyphen. */
function isSetOf(replicaSet: string, deployment: string): boolean {
  return replicaSet.startsWith(`${deployment}-`) && !replicaSet.slice(deployment.length + 1).includes('-');
}

function isPodOf({ metadata }: PodObject, workload: WorkloadObject, selector: LabelSelector | undefined): boolean {
  if (ownersIn(metadata.ownerReferences).length > 0) return isOwnedBy(metadata, workload);
  return selector !== undefined && selectsLabels(selector, metadata.labels ?? {});
}

/** The API server checks the field; here it may be anything. */
function ownersIn(references: unknown): readonly { readonly kind: string; readonly name: string }[] {
  if (!Array.isArray(references)) return [];
  return references.flatMap((reference: unknown) => {
    const { kind, name } = (reference ?? {}) as Readonly<Record<string, unknown>>;
    return typeof kind === 'string' && typeof name === 'string' ? [{ kind, name }] : [];
  });
}

/** Of a ReplicationController plain labels; without a selector that of the template. Undefined: it finds no Pod. */
function selectorOf({ spec }: WorkloadObject): LabelSelector | undefined {
  const { selector, template } = spec;
  const labels = labelsIn(isObject(selector) && 'matchLabels' in selector ? selector.matchLabels : selector);
  const wanted = Object.keys(labels).length > 0 ? labels : (template?.metadata?.labels ?? {});
  return Object.keys(wanted).length > 0 ? readLabelSelector({ matchLabels: wanted }) : undefined;
}

function labelsIn(value: unknown): Labels {
  if (!isObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function namespaceOf({ namespace }: ObjectMeta): string {
  return namespace ?? 'default';
}
