import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serviceNames } from '../../../src/emit/nftables/names.ts';
import type { Endpoint } from '../../../src/model/endpoint.ts';
import type { ServicePlan } from '../../../src/plan/plan.ts';

function namesOf(namespace: string, name: string, portName: string, ip: string) {
  const endpoint = { ip, port: 8080, address: 'key' } as Endpoint;
  const plan = { port: { namespace, name, portName }, protocol: 'tcp', reachable: [endpoint] };
  return serviceNames(plan as unknown as ServicePlan);
}

test('names are those of kube-proxy', () => {
  const names = namesOf('app', 'web', 'http', '10.244.1.10');
  assert.equal(names.service, 'service-5F52KD4Z-app/web/tcp/http');
  assert.equal(names.external, 'external-5F52KD4Z-app/web/tcp/http');
  assert.deepEqual(names.endpoints().get('key'), {
    chain: 'endpoint-3EOZJ77O-app/web/tcp/http__10.244.1.10/8080',
    affinity: 'affinity-3EOZJ77O-app/web/tcp/http__10.244.1.10/8080',
  });
  assert.equal(namesOf('app', 'np', '', '10.0.0.1').local, 'local-EPEMM3CR-app/np/tcp/');
});

test('colons of IPv6 become dots', () => {
  assert.match(namesOf('a', 'b', '', 'fd00::1').endpoints().get('key')?.chain ?? '', /__fd00\.\.1\/8080$/);
});

test('long names are cut to 240 characters and stay apart', () => {
  const [a, b] = ['x', 'y'].map((end) => namesOf('n'.repeat(63), 's'.repeat(160) + end, 'http', '10.0.0.1').service);
  assert.equal(a?.length, 'service-'.length + 240);
  assert.ok(a?.endsWith('...'));
  assert.notEqual(a, b);
});

test('a name that nft could misread is made one that it refuses', () => {
  assert.match(namesOf('a', 'b;\nflush ruleset', '', '10.0.0.1').service, /-a\/b\?\?flush\?ruleset\/tcp\/$/);
});
