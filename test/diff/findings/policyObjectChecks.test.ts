import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { policyObjectChecks } from '../../../src/diff/findings/policyObjectChecks.ts';
import type { PolicyManifests } from '../../../src/pipeline/compile.ts';

type Origin = PolicyManifests['pods'][number]['origin'];

function seen(app: string, port: string, protocol: 'TCP' | 'UDP' = 'TCP', hasPods = true): readonly string[] {
  const origin = {} as Origin;
  const pod = {
    metadata: { name: 'web-0', namespace: 'shop', labels: { app: 'web' } },
    spec: { containers: [{ name: 'web', ports: [{ name: 'http', containerPort: 80 }] }] },
  };
  const policy = {
    metadata: { name: 'allow', namespace: 'shop' },
    spec: { podSelector: { matchLabels: { app } }, ingress: [{ ports: [{ port, protocol }] }] },
  };
  const findings = policyObjectChecks({
    networkPolicies: [{ value: policy, origin }],
    pods: hasPods ? [{ value: pod, origin }] : [],
    namespaces: [],
    nodes: [],
  });
  assert.ok(findings.every(({ id, isAdvice }) => id === 'K8N905' && isAdvice));
  return findings.map((finding) => finding.seen);
}

describe('policies without effect', () => {
  it('names a policy that selects no Pod', () => {
    assert.deepEqual(seen('wbe', 'http'), ['NetworkPolicy shop/allow selects no Pod']);
  });

  it('names a named port that no Pod has, also under another protocol', () => {
    assert.deepEqual(seen('web', 'htpt'), ['NetworkPolicy shop/allow allows port htpt/TCP, which no Pod has']);
    assert.equal(seen('web', 'http', 'UDP').length, 1);
  });

  it('says nothing where both are there, or where no Pods are given', () => {
    assert.deepEqual(seen('web', 'http'), []);
    assert.deepEqual(seen('wbe', 'http', 'TCP', false), []);
  });
});
