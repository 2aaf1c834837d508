import { addTo } from '../../common/addTo.ts';
import { count } from '../../common/text/count.ts';
import { firstFew } from '../../common/text/firstFew.ts';
import type { Report } from '../../diagnostics/diagnostic.ts';
import type { SourceObject } from '../sourceObject.ts';
import { type Tree, treeOf } from './described/tree.ts';

/**
 * Gives Pods of a table without labels those of the workload that they are named after, where the input has it: a
 * controller names each Pod after itself, and gives it the labels of its template. A note lists them.
 */
export function labelledByWorkload(objects: readonly SourceObject[], report: Report): readonly SourceObject[] {
  const workloads = new Map<string, SourceObject>();
  for (const object of objects) if (object.kind in suffixes) workloads.set(keyOf(object), object);
  if (workloads.size === 0) return objects;
  const named = new Map<SourceObject, string[]>();
  const labelled = objects.map((object) => {
    const workload = object.kind === 'Pod' && isUnlabelled(object) ? workloadOf(object, workloads) : undefined;
    if (workload === undefined) return object;
    addTo(named, workload, nameOf(object));
    const { labels } = treeOf(treeOf(treeOf(workload.value.spec).template).metadata);
    return {
      ...object,
      value: { ...object.value, metadata: { ...treeOf(object.value.metadata), labels: treeOf(labels) } },
    };
  });
  for (const [workload, pods] of named) {
    report({
      code: 'labels-from-workload',
      severity: 'note',
      message: `the labels of ${count(pods.length, 'Pod')} are taken from ${workload.kind} ${nameOf(workload)}, whose name they bear: ${firstFew(pods, 3)}`,
      at: [workload.origin],
      hint: 'to see the labels themselves: kubectl get pods -o wide --show-labels',
    });
  }
  return labelled;
}

/** What a controller puts behind its own name. */
const suffixes: Readonly<Record<string, RegExp>> = {
  Deployment: /^(?:[a-z0-9]{1,10}-)?[a-z0-9]{5}$/,
  ReplicaSet: /^[a-z0-9]{5}$/,
  ReplicationController: /^[a-z0-9]{5}$/,
  DaemonSet: /^[a-z0-9]{5}$/,
  Job: /^[a-z0-9]{5}$/,
  StatefulSet: /^\d+$/,
};

function isUnlabelled({ detail, value }: SourceObject): boolean {
  return detail !== undefined && treeOf(value.metadata).labels === undefined;
}

/** Of several with a fitting name the longest. */
function workloadOf(pod: SourceObject, workloads: ReadonlyMap<string, SourceObject>): SourceObject | undefined {
  const parts = nameOf(pod).split('-');
  for (const length of [parts.length - 1, parts.length - 2]) {
    const [name, rest] = [parts.slice(0, length).join('-'), parts.slice(length).join('-')];
    for (const [kind, suffix] of Object.entries(suffixes)) {
      const workload = suffix.test(rest) ? workloads.get(`${kind} ${namespaceOf(pod)}/${name}`) : undefined;
      if (workload !== undefined) return workload;
    }
  }
  return undefined;
}

function keyOf(object: SourceObject): string {
  return `${object.kind} ${namespaceOf(object)}/${nameOf(object)}`;
}

function metadataOf({ value }: SourceObject): Tree {
  return treeOf(value.metadata);
}

function nameOf(object: SourceObject): string {
  return String(metadataOf(object).name ?? '');
}

function namespaceOf(object: SourceObject): string {
  return String(metadataOf(object).namespace ?? 'default');
}
