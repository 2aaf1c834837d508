import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { runCli } from '../support/runCli.ts';
import { diffOf, type Snapshot, takeSnapshot } from './nodeDump.ts';
import { openCluster } from './openCluster.ts';
import { lacksCluster } from './programs.ts';
import { until } from './until.ts';

const version = '1.36.3';
const reason = lacksCluster([version]);
const isRequired = process.env.K8SNET_REQUIRE_CLUSTER === '1';

/** With more than 1000 endpoints kube-proxy leaves comments out, and chains of Services that are gone until a full sync. */
describe('a large cluster beside a real kube-proxy', { skip: isRequired ? false : (reason ?? false) }, () => {
  it('keeps chains of Services that are gone, which is no fault', async () => {
    if (reason !== undefined) throw new Error(reason);
    const { api, nodes, close } = await openCluster([{ version, mode: 'iptables' }]);
    try {
      const [node] = nodes;
      assert.ok(node !== undefined);
      for (const name of ['big', 'first', 'gone']) {
        await api.create('/api/v1/namespaces/default/services', service(name));
        for (let at = 0; at < (name === 'big' ? 11 : 1); at += 1)
          await api.create('/apis/discovery.k8s.io/v1/namespaces/default/endpointslices', slice(name, at));
      }
      await settles(async (snapshot) => diffOf(snapshot, node).status === 0);
      // The first deletion cleans up; what goes soon after it stays until the next time.
      for (const name of ['first', 'gone']) {
        await settles(async (snapshot) => diffOf(snapshot, node).status === 0);
        await api.remove(`/api/v1/namespaces/default/services/${name}`);
        await api.remove(`/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/${name}-0`);
      }
      await settles(async (snapshot) => {
        const { status, text } = diffOf(snapshot, node);
        if (status !== 0 || !/\d+ stale chains/.test(text)) return false;
        assert.match(readFileSync(snapshot.dumps[0] as string, 'utf8'), /^-A KUBE-SEP-/m);
        const { stdout } = runCli(['doctor', ...snapshot.dumps, '-o', 'json']);
        const { findings } = JSON.parse(stdout) as { readonly findings: readonly { readonly severity: string }[] };
        assert.deepEqual(
          findings.filter(({ severity }) => severity === 'error'),
          [],
        );
        return true;
      });

      async function settles(holds: (snapshot: Snapshot) => Promise<boolean>): Promise<void> {
        await until('sync', 90_000, async () => {
          const snapshot = await takeSnapshot(api, node as NonNullable<typeof node>);
          const isSettled = await holds(snapshot);
          snapshot.remove();
          return isSettled;
        });
      }
    } finally {
      await close();
    }
  });
});

function service(name: string): object {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace: 'default' },
    spec: { ports: [{ port: 80, targetPort: 8080 }] },
  };
}

function slice(service: string, number: number): object {
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: `${service}-${number}`, namespace: 'default', labels: { 'kubernetes.io/service-name': service } },
    addressType: 'IPv4',
    ports: [{ name: '', protocol: 'TCP', port: 8080 }],
    endpoints: Array.from({ length: 100 }, (_, at) => ({
      addresses: [`10.244.${number + (service === 'big' ? 10 : service === 'first' ? 50 : 60)}.${at + 1}`],
      conditions: { ready: true },
      nodeName: 'elsewhere',
    })),
  };
}
