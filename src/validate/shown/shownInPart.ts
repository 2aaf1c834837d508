import type { Manifest } from '../kinds/manifest.ts';
import type { PodObject, ServiceObject } from '../kinds/manifests.ts';

/** A table shows the Service without the column of selectors, which `-o wide` prints: there may be one. */
export function hidesSelector({ value, detail }: Manifest<ServiceObject>): boolean {
  return isRow(detail) && value.spec.selector == null;
}

/** A table shows the Pod without its labels, which `--show-labels` prints: it may be anybody's. */
export function hidesLabels({ value, detail }: Manifest<PodObject>): boolean {
  return detail !== undefined && value.metadata.labels == null;
}

/** It is a line of a table. */
export function isRow(detail: number | undefined): boolean {
  return detail !== undefined && detail <= 1;
}
