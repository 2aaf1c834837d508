import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPolicyModel } from '../../src/model/policyModel.ts';
import { compilePolicies } from '../../src/output/policies/compilePolicies.ts';
import { createJudge } from '../../src/policy/verdict.ts';
import { manifestsOf } from './readCase.ts';

/** 5,000 pods in 500 namespaces with 1,000 policies, half of whose peers are found by namespace labels. */
function bigCluster() {
  const objects: object[] = [
    { kind: 'Node', metadata: { name: 'n0' } },
    { kind: 'Node', metadata: { name: 'n1' } },
  ];
  for (let at = 0; at < 500; at += 1) {
    objects.push({ kind: 'Namespace', metadata: { name: `ns${at}`, labels: { team: `t${at % 20}` } } });
  }
  for (let at = 0; at < 5000; at += 1) {
    objects.push({
      kind: 'Pod',
      metadata: { name: `p${at}`, namespace: `ns${at % 500}`, labels: { app: `a${at % 7}`, tier: `x${at % 3}` } },
      spec: { nodeName: `n${at % 50}`, containers: [{ ports: [{ name: 'http', containerPort: 8080 }] }] },
      status: { phase: 'Running', podIP: `10.${at >> 8}.${at & 255}.7` },
    });
  }
  for (let at = 0; at < 1000; at += 1) {
    const peer = {
      namespaceSelector: { matchLabels: { team: `t${at % 20}` } },
      podSelector: { matchLabels: { tier: `x${at % 3}` } },
    };
    objects.push({
      kind: 'NetworkPolicy',
      metadata: { name: `np${at}`, namespace: `ns${at % 500}` },
      spec: {
        podSelector: at % 2 ? {} : { matchLabels: { app: `a${at % 7}` } },
        policyTypes: ['Ingress', 'Egress'],
        ingress: [
          { from: [at % 4 < 2 ? peer : { podSelector: {} }], ports: [{ port: 'http' }, { port: 8000 + (at % 9) }] },
        ],
        egress: [{ to: [{ ipBlock: { cidr: '0.0.0.0/0', except: ['10.0.0.0/8'] } }, peer] }],
      },
    });
  }
  return manifestsOf(objects);
}

test('a big cluster is read, judged and compiled', { timeout: 120_000 }, () => {
  const manifests = bigCluster();
  const model = readPolicyModel(manifests);
  {
    const judge = createJudge(model);
    const parties = model.pods.map((pod) => judge.partyAt(pod.ips[0] ?? ''));
    let allowed = 0;
    for (const [at, from] of parties.entries()) {
      const to = parties[(at * 7919) % parties.length];
      if (to && judge.judge({ from, to, protocol: 'TCP', port: 8080 }).isAllowed) allowed += 1;
    }
    assert.ok(allowed > 0 && allowed < parties.length);
  }
  for (const backend of ['nftables', 'iptables'] as const) {
    for (const node of ['n1', undefined]) {
      const options = node === undefined ? { backends: [backend] } : { backends: [backend], node };
      assert.ok(compilePolicies(model, options, () => undefined)[backend] !== undefined);
    }
  }
});
