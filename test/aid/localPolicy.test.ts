import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCli } from '../support/runCli.ts';
import { localWeb, nodeAt, readyPod } from './localWeb.ts';

/** Pods only on the last of six nodes: the others drop what comes from outside, whatever NetworkPolicies say. */
const nodes = Array.from({ length: 6 }, (_, at) => `n${at + 1}`);

function cluster(ingress: readonly object[]): string {
  const items = [
    ...nodes.map((name, at) => nodeAt(name, `192.0.2.${at + 1}`)),
    readyPod('web', 'web', 'n6', '10.244.6.7'),
    readyPod('client', 'client', 'n1', '10.244.1.7'),
    ...localWeb([{ nodeName: 'n6', address: '10.244.6.7' }]),
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
