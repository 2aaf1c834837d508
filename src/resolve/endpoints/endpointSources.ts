import type { Manifest } from '../../validate/kinds/manifest.ts';
import type {
  EndpointSliceObject,
  EndpointsObject,
  Manifests,
  PodObject,
  WorkloadObject,
} from '../../validate/kinds/manifests.ts';
import type { ObjectMeta } from '../../validate/kinds/objectMeta.ts';
import { hidesLabels } from '../../validate/shown/shownInPart.ts';
import { type LabelIndex, labelIndex } from '../labelIndex.ts';
import { endpointsByService } from './endpointsByService.ts';
import { slicesByService } from './slicesByService.ts';

/**
 * Where to look for the endpoints of Services; each source is made on first use, and many inputs need only one of them.
 */
export interface EndpointSources {
  /** By `namespace/name` of the Service. */
  readonly slices: () => ReadonlyMap<string, readonly Manifest<EndpointSliceObject>[]>;
  readonly endpoints: () => ReadonlyMap<string, Manifest<EndpointsObject>>;
  readonly pods: () => LabelIndex<Manifest<PodObject>>;
  /** Namespaces with Pods whose labels the input does not show: the result of a selector there is unknown. */
  readonly unlabelled: () => ReadonlySet<string>;
  /** By the labels of their Pods. */
  readonly workloads: () => LabelIndex<Manifest<WorkloadObject>>;
}

export function endpointSources(
  manifests: Pick<Manifests, 'endpointSlices' | 'endpoints' | 'pods' | 'workloads'>,
): EndpointSources {
  return {
    slices: lazily(() => slicesByService(manifests.endpointSlices)),
    endpoints: lazily(() => endpointsByService(manifests.endpoints)),
    pods: lazily(() => labelIndex(manifests.pods, namespaceOf, ({ value }) => value.metadata.labels ?? {})),
    unlabelled: lazily(() => new Set(manifests.pods.filter(hidesLabels).map(namespaceOf))),
    workloads: lazily(() =>
      labelIndex(manifests.workloads, namespaceOf, ({ value }) => value.spec.template?.metadata?.labels ?? {}),
    ),
  };
}

function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function namespaceOf({ value }: Manifest<{ readonly metadata: ObjectMeta }>): string {
  return value.metadata.namespace ?? 'default';
}
