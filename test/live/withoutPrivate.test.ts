import assert from 'node:assert/strict';
import { it } from 'node:test';
import { withoutPrivate } from '../../src/live/withoutPrivate.ts';

it('what may hold secrets stays in the cluster', () => {
  const pod = {
    metadata: {
      name: 'web-1',
      namespace: 'shop',
      labels: { app: 'web' },
      annotations: { 'kubectl.kubernetes.io/last-applied-configuration': 'secret', note: 'secret' },
      managedFields: [{ manager: 'secret' }],
    },
    spec: {
      nodeName: 'n1',
      volumes: [{ name: 'secret' }],
      containers: [
        {
          name: 'web',
          image: 'secret',
          args: ['secret'],
          env: [{ name: 'A', value: 'secret' }],
          ports: [{ containerPort: 80 }],
        },
      ],
    },
    status: {
      phase: 'Running',
      podIP: '10.0.0.1',
      initContainerStatuses: [
        { name: 'wait', ready: false, image: 'secret', state: { running: { startedAt: 'secret' } } },
      ],
      containerStatuses: [
        {
          name: 'web',
          ready: false,
          image: 'secret',
          state: { waiting: { reason: 'CrashLoopBackOff', message: 'secret' } },
        },
      ],
    },
  };
  const shown = withoutPrivate('Pod', pod);
  assert.doesNotMatch(JSON.stringify(shown), /secret/);
  assert.deepEqual(shown, {
    metadata: { name: 'web-1', namespace: 'shop', labels: { app: 'web' } },
    spec: { nodeName: 'n1', containers: [{ name: 'web', ports: [{ containerPort: 80 }] }] },
    status: {
      phase: 'Running',
      podIP: '10.0.0.1',
      initContainerStatuses: [{ name: 'wait', ready: false, state: { running: {} } }],
      containerStatuses: [{ name: 'web', ready: false, state: { waiting: { reason: 'CrashLoopBackOff' } } }],
    },
  });
  const service = {
    metadata: { annotations: { 'service.kubernetes.io/topology-mode': 'Auto', other: 'x' } },
    spec: { type: 'NodePort' },
  };
  assert.deepEqual(withoutPrivate('Service', service), {
    metadata: { annotations: { 'service.kubernetes.io/topology-mode': 'Auto' } },
    spec: { type: 'NodePort' },
  });
});
