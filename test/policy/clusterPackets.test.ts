import assert from 'node:assert/strict';
import fc from 'fast-check';
import { readPolicyModel } from '../../src/model/policyModel.ts';
import { createJudge } from '../../src/policy/verdict.ts';
import { assumeEmptyLabels } from '../../src/resolve/assumed/assumeEmptyLabels.ts';
import { kernelTests } from '../kernel/requirements.ts';
import { arbitraryCluster } from './arbitraryCluster.ts';
import { type EvaluatedFlow, evaluate } from './clusterEvaluator.ts';
import { backends, withoutRules } from './loadPolicies.ts';
import { openPolicyLab } from './policyLab.ts';
import { manifestsOf, type Probe } from './readCase.ts';

/** Random cluster-wide policies beside NetworkPolicies: an independent evaluator, the judge and packets must agree. */
const test = kernelTests(['nft', 'iptables-nft', 'ipset']);
const cases = 30;

// biome-ignore lint/suspicious/noExplicitAny: objects of any kind.
type Json = any;

const clusters = fc
  .sample(arbitraryCluster, { seed: Number(process.env.FUZZ_SEED ?? 34), numRuns: 400 })
  .map(ordered)
  .filter((objects) => objects.filter(isWide).length > 1 && objects.filter(isRunningPod).length > 2)
  .slice(0, cases);

for (const [index, objects] of clusters.entries()) {
  test(`random cluster-wide policies ${index + 1}: evaluator, judge and packets agree`, async () => {
    const model = readPolicyModel(assumeEmptyLabels(manifestsOf(objects), { assumesEmptyLabels: true }));
    const judge = createJudge(model);
    const probes: Probe[] = [];
    for (const [at, flow] of flowsOf(objects).entries()) {
      const expected = evaluate(objects, flow);
      assert.notEqual(expected, 'open', 'priorities differ');
      const { from, to, protocol, port } = flow;
      const verdict = judge.judge({ from: judge.partyAt(from), to: judge.partyAt(to), protocol, port });
      const said = verdict.isUnknown ? 'open' : verdict.isAllowed ? 'allowed' : 'denied';
      assert.equal(said, expected, JSON.stringify(flow));
      // A part of them as packets, another one in each case.
      if (from !== to && (at + index) % 7 === 0) {
        const family = from.includes(':') ? 'ipv6' : 'ipv4';
        probes.push({
          src: named(objects, from),
          dst: named(objects, to),
          protocol,
          port,
          family,
          allowed: expected === 'allowed',
        });
      }
    }
    assert.ok(probes.length > 0);
    const { lab, wrongProbes } = await openPolicyLab(model, probes);
    try {
      for (const [backend, load] of Object.entries(backends)) {
        await withoutRules(lab, model);
        await load(lab, model);
        assert.deepEqual(await wrongProbes(), [], backend);
      }
    } finally {
      await lab.close();
    }
  });
}

/** Each policy has a place of its own in its tier. */
function ordered(objects: readonly object[]): readonly Json[] {
  const isBaseline = ({ kind, spec }: Json) => kind === 'ClusterNetworkPolicy' && spec.tier === 'Baseline';
  const hasBaseline = objects.some(isBaseline);
  let hasDefault = hasBaseline;
  return objects.flatMap((object: Json, at): Json[] => {
    if (object.kind === 'BaselineAdminNetworkPolicy') {
      if (hasDefault) return [];
      hasDefault = true;
      return [object];
    }
    return isWide(object) ? [{ ...object, spec: { ...object.spec, priority: (at * 7) % 31 } }] : [object];
  });
}

function isWide({ kind }: Json): boolean {
  return /(Admin|Cluster)NetworkPolicy$/.test(kind);
}

function isRunningPod({ kind, spec, status }: Json): boolean {
  return kind === 'Pod' && !spec.hostNetwork && status.phase === 'Running';
}

/** As probes call whoever has an address. */
function named(objects: readonly Json[], ip: string): string {
  const node = objects.find(
    ({ kind, status }) => kind === 'Node' && status.addresses.some(({ address }: Json) => address === ip),
  );
  if (node !== undefined) return `node:${node.metadata.name}`;
  const pod = objects.find((each) => isRunningPod(each) && each.status.podIPs.some((own: Json) => own.ip === ip));
  return pod === undefined ? ip : `${pod.metadata.namespace}/${pod.metadata.name}`;
}

/** Everyone with everyone, over what policies tell apart. */
function flowsOf(objects: readonly Json[]): readonly EvaluatedFlow[] {
  const pods = objects.filter(isRunningPod).flatMap(({ status }) => status.podIPs.map(({ ip }: Json) => ip));
  const nodes = objects
    .filter(({ kind }) => kind === 'Node')
    .flatMap(({ status }) => status.addresses.map(({ address }: Json) => address));
  const everyone: readonly string[] = [...pods, ...nodes, '203.0.113.9', '2001:db8::1'];
  const ports = [
    ['TCP', 80],
    ['TCP', 82],
    ['UDP', 53],
    ['SCTP', 80],
    ['ICMP', 0],
  ] as const;
  return everyone.flatMap((from) =>
    everyone
      .filter((to) => from.includes(':') === to.includes(':') && (pods.includes(from) || pods.includes(to)))
      .flatMap((to) => ports.map(([protocol, port]) => ({ from, to, protocol, port }))),
  );
}
