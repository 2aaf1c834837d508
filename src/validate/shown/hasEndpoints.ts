import { columnsOf } from '../../common/proxy/endpointColumns.ts';
import type { EndpointSliceObject } from '../kinds/manifests.ts';

/** Whether a slice has any endpoint; one that was read ahead is not read again for that. */
export function hasEndpoints(slice: EndpointSliceObject): boolean {
  const columns = columnsOf(slice);
  return columns === undefined ? (slice.endpoints ?? []).length > 0 : columns.end > columns.start;
}
