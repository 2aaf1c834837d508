import assert from 'node:assert/strict';
import { it } from 'node:test';
import { recentServices } from '../../src/live/recentServices.ts';
import type { SourceObject } from '../../src/load/sourceObject.ts';

const now = Date.parse('2026-11-24T14:00:10Z');

function object(kind: string, name: string, metadata: object): SourceObject {
  const value = { metadata: { namespace: 'shop', name, ...metadata } };
  return { apiVersion: 'v1', kind, value, origin: { file: 'x', document: 0, path: [] } } as unknown as SourceObject;
}

it('a Service is recent by its own times and by those of its endpoints', () => {
  const label = { labels: { 'kubernetes.io/service-name': 'b' } };
  const objects = [
    object('Service', 'a', { creationTimestamp: '2026-11-24T14:00:09Z' }),
    object('Service', 'b', { creationTimestamp: '2026-11-24T13:00:09Z' }),
    object('EndpointSlice', 'b-1', { ...label, managedFields: [{ time: '2026-11-24T14:00:08Z' }] }),
    object('Service', 'c', {
      creationTimestamp: '2026-11-24T13:00:09Z',
      managedFields: [{ time: '2026-11-24T13:59:59Z' }],
    }),
    object('Service', 'd', { creationTimestamp: 'soon', managedFields: [null, {}] }),
    // Cut off to the second, it may be of 14:00:07.9.
    object('Service', 'f', { creationTimestamp: '2026-11-24T14:00:07Z' }),
    object('Service', 'g', { creationTimestamp: '2026-11-24T14:00:06Z' }),
    object('Service', 'h', { creationTimestamp: '2026-11-24T14:00:13Z' }),
    object('Pod', 'e', { creationTimestamp: '2026-11-24T14:00:09Z' }),
  ];
  assert.deepEqual([...recentServices(objects, now, 2500)], ['shop/a', 'shop/b', 'shop/f']);
});
