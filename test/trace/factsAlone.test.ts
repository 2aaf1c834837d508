import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../support/compileCase.ts';
import { runMany } from '../support/runMany.ts';

const folder = join(root, 'fixtures/trace-cli/routes-alone');
const given = ['-f', join(folder, 'cluster.yaml'), '--node', 'n1', '--routes', join(folder, 'routes.txt')];
const from = ['--from', 'shop/client'];

test('routes of a node go with the rules of manifests, without a dump', () => {
  const [trace, why, reach] = runMany([
    ['trace', ...given, ...from, '--to', 'shop/web:http'],
    ['why', ...given, ...from, '--to', 'shop/web:http'],
    ['reach', ...given, '--service', 'shop/web'],
  ]);
  assert.equal(trace?.status, 0, trace?.stderr);
  assert.match(trace.stdout, /leaves by flannel\.1 to 10\.244\.2\.9:8080/);
  assert.match(why?.stdout ?? '', /It arrives/, why?.stderr);
  assert.doesNotMatch(reach?.stderr ?? '', /holds no rules/);
});

test('the protocol may stand behind the port', () => {
  const [behind, beside, both, other] = runMany([
    ['trace', ...given, ...from, '--to', 'shop/web:53/udp'],
    ['trace', ...given, ...from, '--to', 'shop/web:53', '--proto', 'udp'],
    ['trace', ...given, ...from, '--to', '10.96.0.80:53/UDP', '--proto', 'udp'],
    ['trace', ...given, ...from, '--to', '10.96.0.80:53/udp', '--proto', 'tcp'],
  ]);
  assert.equal(behind?.status, 0, behind?.stderr);
  assert.equal(behind?.stdout, beside?.stdout);
  assert.equal(both?.stdout, beside?.stdout);
  assert.equal(other?.status, 2);
});
