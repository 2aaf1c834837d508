import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCli } from '../support/runCli.ts';

/** Pods only on the last of six nodes: the others drop what comes from outside, whatever NetworkPolicies say. */
const nodes = Array.from({ length: 6 }, (_, at) => `n${at + 1}`);
const meta = (name: string) => ({
  name,
  namespace: 'shop',
  labels: { app: name, 'kubernetes.io/service-name': 'web' },
});

function cluster(ingress: readonly object[]): string {
  const pod = (name: string, nodeName: string, podIP: string) => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: meta(name),
    spec: { nodeName, containers: [{ name }] },
    status: { phase: 'Running', podIP, conditions: [{ type: 'Ready', status: 'True' }] },
  });
  const items = [
    ...nodes.map((name, at) => ({
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name },
      status: { addresses: [{ type: 'InternalIP', address: `192.0.2.${at + 1}` }] },
    })),
    pod('web', 'n6', '10.244.6.7'),
    pod('client', 'n1', '10.244.1.7'),
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: meta('web'),
      spec: {
        type: 'NodePort',
        externalTrafficPolicy: 'Local',
        clusterIP: '10.96.0.80',
        selector: { app: 'web' },
        ports: [{ name: 'http', port: 80, targetPort: 8080, nodePort: 30080 }],
      },
    },
    {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: meta('web-1'),
      addressType: 'IPv4',
      ports: [{ name: 'http', port: 8080 }],
      endpoints: [{ addresses: ['10.244.6.7'], nodeName: 'n6' }],
    },
    {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: { name: 'own', namespace: 'shop' },
      spec: { podSelector: { matchLabels: { app: 'web' } }, policyTypes: ['Ingress'], ingress },
    },
  ];
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
}

const check = (ingress: readonly object[]) => {
  const { status, stdout } = runCli(['check-service', 'shop/web', '-f', '-'], { input: cluster(ingress) });
  return { status, policies: /policies {2}(.*)/.exec(stdout)?.[1], cause: stdout.split('\n')[1] };
};

test('a node that drops what comes from outside lets nobody in, and NetworkPolicies are judged where it goes on', () => {
  assert.deepEqual(check([]), {
    status: 1,
    policies: '1 NetworkPolicy: 0 of 2 senders may connect (shop/client, outside)',
    cause:
      'NetworkPolicy shop/own does not let any of the 2 kinds of senders that the objects show connect to Service shop/web.',
  });
  const { policies } = check([{ from: [{ podSelector: { matchLabels: { app: 'client' } } }] }]);
  assert.equal(policies, '1 NetworkPolicy: 1 of 2 senders may connect (shop/client; not outside)');
  const { policies: open } = check([{}]);
  assert.equal(open, '1 NetworkPolicy: 2 of 2 senders may connect (shop/client, outside)');
});
