import { columnsOf } from '../../common/proxy/endpointColumns.ts';
import type { EndpointSliceObject } from '../kinds/manifests.ts';

/** What kube-proxy and most checks read of an endpoint. */
export type SliceEndpoint = Pick<
  NonNullable<EndpointSliceObject['endpoints']>[number],
  'addresses' | 'conditions' | 'nodeName' | 'hints'
>;

/** The endpoints of a slice, as far as rules need them: of one that was read ahead without reading it again. */
export function* sliceEndpoints(slice: EndpointSliceObject): Iterable<SliceEndpoint> {
  const columns = columnsOf(slice);
  if (columns === undefined) {
    yield* slice.endpoints ?? [];
    return;
  }
  const { start, end, addresses, stateOf, states } = columns;
  for (let at = start; at < end; at += 1) {
    const { conditions, nodeName, hints } = states[stateOf[at] as number] as Omit<SliceEndpoint, 'addresses'>;
    yield { addresses: [addresses[at] as string], conditions, nodeName, hints };
  }
}
