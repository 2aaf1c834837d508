import { columnsOf } from '../../common/proxy/endpointColumns.ts';
import type { EndpointSliceObject } from '../kinds/manifests.ts';
import type { SliceEndpoint } from './sliceEndpoints.ts';

/** The names of the Nodes that endpoints of a slice are on, one for each endpoint that has one. */
export function sliceNodeNames(slice: EndpointSliceObject): readonly string[] {
  const columns = columnsOf(slice);
  const names: string[] = [];
  if (columns === undefined) {
    for (const { nodeName } of slice.endpoints ?? []) if (nodeName) names.push(nodeName);
    return names;
  }
  const { start, end, stateOf, states } = columns;
  for (let at = start; at < end; at += 1) {
    const { nodeName } = states[stateOf[at] as number] as SliceEndpoint;
    if (nodeName) names.push(nodeName);
  }
  return names;
}
