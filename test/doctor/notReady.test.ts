import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runCli } from '../support/runCli.ts';

const objects = `
apiVersion: v1
kind: Service
metadata: {name: a, namespace: b}
spec: {clusterIP: 10.96.0.1, sessionAffinity: ClientIP, ports: [{port: 80}]}
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: a-1, namespace: b, labels: {kubernetes.io/service-name: a}}
addressType: IPv4
endpoints:
- {addresses: [10.244.1.1], conditions: {ready: true}}
- {addresses: [10.244.1.2], conditions: {ready: false}}
ports: [{port: 8080}]
`;

function savedBy(version: string, input: string): string {
  const { status, stdout, stderr } = runCli(
    ['compile', '-q', '-f', '-', '--kube-version', version, '--cluster-cidr', '10.244.0.0/16'],
    { input },
  );
  assert.equal(status, 0, stderr);
  return stdout;
}

function doctor(dump: string): string {
  return runCli(['doctor', '-'], { input: dump }).stdout;
}

/** In 1.22 an endpoint keeps its chain while it is not ready, and clients that know it are sent to it. */
describe('an endpoint that only returning clients get to', () => {
  it('is not ready in 1.22', () => {
    const dump = savedBy('1.22', objects);
    assert.match(dump, /--rcheck .*\n.*--rcheck /);
    assert.doesNotMatch(doctor(dump), /K8N308/);
  });

  for (const version of ['1.21', '1.23', '1.24', '1.36']) {
    it(`lost its rule in ${version}`, () => {
      const whole = savedBy(version, objects.replace('ready: false', 'ready: true'));
      assert.doesNotMatch(doctor(whole), /K8N308/);
      const lost = whole.split('\n').filter((line) => !line.includes('--mode random'));
      assert.equal(lost.length, whole.split('\n').length - 1);
      assert.match(doctor(lost.join('\n')), /error K8N308 .* sends no new connection to 10\.244\.1\.1:8080/);
    });
  }
});
