import { listChanges } from '../../common/listChanges.ts';
import type { Manifest } from '../../validate/kinds/manifest.ts';
import type { EndpointSliceObject } from '../../validate/kinds/manifests.ts';
import { byName, serviceOf, slicesByService } from './slicesByService.ts';

type Slices = readonly Manifest<EndpointSliceObject>[];

/** As `slicesByService`. After an edit only the lists of Services are made again whose slices came or went. */
export type KeptSlices = (slices: Slices) => ReadonlyMap<string, Slices>;

export function keptSlices(): KeptSlices {
  let last: Slices = [];
  let byService = new Map<string, Slices>();
  return (slices) => {
    const { gone, added } = listChanges(last, slices);
    const isEdit = gone.length + added.length < slices.length / 4;
    if (!isEdit || !edit(byService, gone, added)) byService = new Map(slicesByService(slices));
    last = slices;
    return byService;
  };
}

/** False: two slices of a Service have one name (both may have none), and their order is that of the input. */
function edit(byService: Map<string, Slices>, gone: Slices, added: Slices): boolean {
  const left = new Set(gone);
  const lists = new Map<string, Manifest<EndpointSliceObject>[]>();
  for (const slice of [...gone, ...added]) {
    const key = serviceOf(slice);
    if (key !== undefined)
      lists.set(
        key,
        (byService.get(key) ?? []).filter((one) => !left.has(one)),
      );
  }
  for (const slice of added) lists.get(serviceOf(slice) ?? '')?.push(slice);
  for (const [key, own] of lists) {
    own.sort(byName);
    if (own.some((slice, at) => at > 0 && byName(own[at - 1] as typeof slice, slice) === 0)) return false;
    if (own.length === 0) byService.delete(key);
    else byService.set(key, own);
  }
  return true;
}
