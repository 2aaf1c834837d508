import assert from 'node:assert/strict';
import { it } from 'node:test';
import { keptSlices } from '../../src/resolve/endpoints/keptSlices.ts';
import { slicesByService } from '../../src/resolve/endpoints/slicesByService.ts';
import type { Manifest } from '../../src/validate/kinds/manifest.ts';
import type { EndpointSliceObject } from '../../src/validate/kinds/manifests.ts';
import { seededRandom } from '../fleet/randomCluster.ts';

it('slices of an edited list are those that a first look finds, in their order', () => {
  const random = seededRandom(3);
  // Few names and Services: several slices each, some of one name, some without.
  let made = 0;
  const slice = (): Manifest<EndpointSliceObject> => {
    const name = random(5) === 0 ? {} : { name: `slice-${random(40)}` };
    const labels = random(6) === 0 ? {} : { labels: { 'kubernetes.io/service-name': `web-${random(6)}` } };
    const metadata = { ...name, ...labels, ...(random(2) === 0 && { namespace: 'shop' }) };
    made += 1;
    const value = { metadata, addressType: 'IPv4', endpoints: [{ addresses: [`10.0.0.${made}`] }] };
    return { value: value as EndpointSliceObject, origin: { source: { name: 'list' }, path: [] } as never };
  };
  const kept = keptSlices();
  let slices = Array.from({ length: 30 }, slice);
  for (let edit = 0; edit < 500; edit += 1) {
    assert.deepEqual(inOrder(kept(slices)), inOrder(slicesByService(slices)));
    const at = random(slices.length);
    const added = random(3) === 0 || slices.length < 20 ? [slice(), slice()] : [slice()];
    slices = [...slices.slice(0, at), ...(random(3) === 0 ? [] : added), ...slices.slice(at + random(2))];
  }
});

function inOrder(lists: ReadonlyMap<string, readonly object[]>): readonly (readonly [string, readonly object[]])[] {
  return [...lists].sort(([a], [b]) => (a < b ? -1 : 1));
}
