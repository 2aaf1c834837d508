import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runMany } from '../../support/runMany.ts';

const file = 'fixtures/trace-cli/routes-alone/cluster.yaml';

test('a name that has records of another type says which', () => {
  const ask = (...words: readonly string[]) => ['emit', 'dns', '-f', file, '--resolve', ...words];
  const [service, host, missing] = runMany([
    ask('_http._tcp.web.shop'),
    ask('_http._tcp.web.shop', '-o', 'json'),
    ask('_http._tcp.nobody.shop'),
  ]);
  assert.match(
    service?.stdout ?? '',
    /^# _http\._tcp\.web\.shop\.svc\.cluster\.local\. has records of type SRV: ask with --type SRV$/m,
    service?.stderr,
  );
  assert.doesNotMatch(host?.stdout ?? '', /otherTypes/);
  assert.doesNotMatch(missing?.stdout ?? '', /has records/);
});
