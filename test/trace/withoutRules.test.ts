import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCli } from '../support/runCli.ts';

/** Services that kube-proxy leaves out are not unknown, and nothing else is guessed to be meant. */
const input = `
{apiVersion: v1, kind: Service, metadata: {name: web, namespace: shop}, spec: {clusterIP: 10.96.0.1, ports: [{port: 80}]}}
---
{apiVersion: discovery.k8s.io/v1, kind: EndpointSlice, metadata: {name: web-1, namespace: shop, labels: {kubernetes.io/service-name: web}},
 addressType: IPv4, ports: [{port: 8080}], endpoints: [{addresses: [10.244.0.7]}]}
---
{apiVersion: v1, kind: Service, metadata: {name: wed, namespace: shop}, spec: {clusterIP: None, ports: [{port: 80}]}}
---
{apiVersion: v1, kind: Service, metadata: {name: wec, namespace: shop}, spec: {type: ExternalName, externalName: example.com}}
---
{apiVersion: v1, kind: Service, metadata: {name: wef, namespace: shop, labels: {service.kubernetes.io/service-proxy-name: other}}, spec: {clusterIP: 10.96.0.2, ports: [{port: 80}]}}
---
{apiVersion: v1, kind: Service, metadata: {name: idle, namespace: shop}, spec: {clusterIP: 10.96.0.3, ports: [{port: 80}]}}
`;
const ask = (...words: readonly string[]) => runCli([...words, '-f', '-'], { input });

for (const [name, reason] of [
  ['wed', 'headless, DNS names the Pods'],
  ['wec', 'ExternalName is a DNS alias'],
  ['wef', 'label leaves it to another proxy'],
]) {
  test(`a Service without rules: ${reason}`, () => {
    for (const words of [
      ['why', '--from', 'outside', '--to', `shop/${name}:80`],
      ['trace', '--from', 'outside', '--to', `svc/shop/${name}`],
      ['split', `shop/${name}`],
      ['reach', `svc/shop/${name}`],
      ['compile', '--service', `shop/${name}`],
    ]) {
      const { status, stderr } = ask(...words);
      assert.equal(status, 2, stderr);
      assert.ok(stderr.includes(`(${reason})`), stderr);
      assert.doesNotMatch(stderr, /did you mean|not found|is known/);
    }
    const { stdout, status } = ask('whois', `svc/shop/${name}`);
    assert.equal(stdout, `shop/${name} is a Service for which kube-proxy has no rules (${reason})\n`);
    assert.equal(status, 1);
  });
}

test('another Service is still guessed to be meant by an unknown name', () => {
  assert.match(ask('why', '--from', 'outside', '--to', 'svc/shop/weg').stderr, /did you mean svc\/shop\/web/);
});

test('questions about one Service do not list the others that have no rules, except with -v', () => {
  const question = ['why', '--from', '10.244.0.9', '--to', 'shop/web'];
  const listed = /service-without-rules|no-endpoints/;
  assert.doesNotMatch(ask(...question).stderr, listed);
  assert.match(ask(...question, '-v').stderr, listed);
  assert.match(ask('why', '--from', '10.244.0.9', '--to', 'shop/idle').stdout, /has no endpoints/);
});
