import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { readHealthyCase } from '../support/healthy/healthyCase.ts';
import { trueOfManifests } from '../support/healthy/healthyFindings.ts';
import { type HealthyItem, healthyItems } from '../support/healthy/healthyItems.ts';
import { runCli } from '../support/runCli.ts';

/** Objects as `kubectl get services -A` and `kubectl get services,pods,nodes -A` give them: endpoints are on the node alone. */
const kinds: Readonly<Record<string, readonly string[]>> = {
  'Services alone': ['Service'],
  'Services, Pods and Nodes': ['Service', 'Pod', 'Node'],
};

describe('a healthy node, and objects without EndpointSlices', () => {
  for (const name of ['calico-ipvs', 'k3s', 'kind', 'kind-nftables']) {
    const { folder, expected, args } = readHealthyCase(name);
    const items = healthyItems({ folder });
    const ask = (command: readonly string[], given: readonly HealthyItem[]) => {
      const input = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: given });
      return runCli([...command, '-f', '-', ...args, '-q', '-o', 'json', join(folder, 'node')], { input });
    };
    for (const [what, own] of Object.entries(kinds)) {
      it(`${name}: ${what}`, () => {
        const given = items.filter(({ kind }) => own.includes(kind));
        const { stdout, stderr } = ask(['diff'], given);
        const { findings, summary } = JSON.parse(stdout) as {
          readonly findings: readonly { readonly id: string; readonly severity: string }[];
          readonly summary: { readonly same: number };
        };
        const loud = findings.filter(({ severity }) => severity !== 'info').map(({ id }) => id);
        const said = loud.filter((id) => !trueOfManifests.has(id) && !expected.diff.includes(id));
        assert.deepEqual(said, [], stdout + stderr);
        assert.ok(summary.same > 5, `${summary.same} Services are the same`);
      });
    }

    it(`${name}: a Service alone, whose Pods policies protect`, () => {
      const given = items.filter(({ kind, metadata }) => kind === 'Service' && metadata.name === 'db');
      const { stdout, stderr } = ask(['check-service', 'shop/db'], given);
      assert.doesNotMatch(stdout, /"verdict": "broken"/, stdout + stderr);
    });
  }
});

it('a Service without a virtual server is found among Services alone, too', () => {
  const { folder, args } = readHealthyCase('calico-ipvs');
  const dumps = ['iptables.legacy.v4.save', 'ipset.save', 'addresses.txt'].map((file) =>
    join(folder, 'node/dumps', file),
  );
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'gone', namespace: 'shop' },
    spec: { clusterIP: '10.96.9.9', clusterIPs: ['10.96.9.9'], ports: [{ name: 'http', port: 80 }] },
  };
  const input = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [service] });
  const listing = join(folder, 'node/dumps/ipvsadm.save');
  const { status, stdout } = runCli(['diff', '-f', '-', ...args, '-q', ...dumps, listing], { input });
  assert.equal(status, 1);
  assert.match(stdout, /K8N201 no virtual server for 10\.96\.9\.9:80\/tcp/);
});
