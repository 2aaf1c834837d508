import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Protocol } from '../../src/common/addresses/protocol.ts';
import { readPolicyModel } from '../../src/model/policyModel.ts';
import { missingPolicyFacts } from '../../src/policy/missing/missingPolicyFacts.ts';
import { openPorts } from '../../src/policy/openPorts.ts';
import { createJudge } from '../../src/policy/verdict.ts';
import { assumeEmptyLabels } from '../../src/resolve/assumed/assumeEmptyLabels.ts';
import type { Manifests } from '../../src/validate/kinds/manifests.ts';
import { fuzzSeed as seed } from '../support/fuzzSeed.ts';
import { arbitraryCluster } from './arbitraryCluster.ts';
import { manifestsOf } from './readCase.ts';

/** What is said for sure of input that shows a part is so whatever the rest is. */

const ports: readonly (readonly [Protocol, number])[] = [
  ['TCP', 80],
  ['TCP', 53],
  ['TCP', 82],
  ['UDP', 53],
];

test(`a sure verdict holds for what the input does not show (seed ${seed})`, () => {
  const counts = { sure: 0, unknown: 0 };
  fc.assert(
    fc.property(arbitraryCluster, fc.nat(), fc.nat(), (objects, hiddenPods, hiddenNamespaces) => {
      const whole = assumeEmptyLabels(manifestsOf(objects), { assumesEmptyLabels: true });
      const truth = createJudge(readPolicyModel(whole));
      const model = readPolicyModel(hide(whole, hiddenPods, hiddenNamespaces));
      const judge = createJudge(model);
      const ips = [...model.pods.flatMap((pod) => pod.ips), '203.0.113.9'];
      for (const [from, to] of ips.flatMap((one) => ips.map((other) => [one, other] as const))) {
        if (from.includes(':') !== to.includes(':')) continue;
        for (const [protocol, port] of ports) {
          const said = judge.judge({ from: judge.partyAt(from), to: judge.partyAt(to), protocol, port });
          const is = truth.judge({ from: truth.partyAt(from), to: truth.partyAt(to), protocol, port });
          counts[said.isUnknown ? 'unknown' : 'sure'] += 1;
          if (said.isUnknown) {
            const unknown = [said.egress, said.ingress].flatMap((side) => (side.kind === 'unknown' ? side : []));
            // Of policies that nothing puts into an order no fact is missing.
            for (const { facts, ties } of unknown) assert.ok(facts.length + ties.length > 0);
            if (unknown.some(({ ties }) => ties.length === 0))
              assert.ok(missingPolicyFacts(model, undefined).length > 0);
          } else
            assert.equal(
              is.isUnknown ? 'unknown' : is.isAllowed,
              said.isAllowed,
              `${from} -> ${to} ${port}/${protocol}`,
            );
        }
        const seen = openPorts(judge, judge.partyAt(from), judge.partyAt(to));
        const open = openPorts(truth, truth.partyAt(from), truth.partyAt(to));
        if (seen.isEverything) assert.ok(open.isEverything);
        if (seen.perhaps === 'none') assert.deepEqual(seen, open);
      }
    }),
    { seed, numRuns: 200 },
  );
  assert.ok(counts.sure > 100 && counts.unknown > 100, JSON.stringify(counts));
});

test(`rules that hang on nothing hidden are those of the whole input (seed ${seed})`, () => {
  let compared = 0;
  fc.assert(
    fc.property(arbitraryCluster, fc.nat(), (objects, hiddenPods) => {
      const whole = assumeEmptyLabels(manifestsOf(objects), { assumesEmptyLabels: true });
      const model = readPolicyModel(hide(whole, hiddenPods, 0));
      if (missingPolicyFacts(model, undefined).length > 0) return;
      const truth = createJudge(readPolicyModel(whole));
      const judge = createJudge(model);
      for (const pod of model.pods.filter(({ isHostNetwork }) => !isHostNetwork)) {
        for (const ip of pod.ips) {
          for (const direction of ['ingress', 'egress'] as const) {
            const ids = (of: typeof judge) => of.policiesOf(of.partyAt(ip), direction).map(({ id }) => id);
            assert.deepEqual(ids(judge), ids(truth));
            compared += 1;
          }
        }
      }
    }),
    { seed, numRuns: 200 },
  );
  assert.ok(compared > 10, `${compared} Pods`);
});

/** Pods as a table shows them, and Namespaces that are not there: those whose bit is set. */
function hide(manifests: Manifests, hiddenPods: number, hiddenNamespaces: number): Manifests {
  return {
    ...manifests,
    namespaces: manifests.namespaces.filter((_, at) => ((hiddenNamespaces >> at) & 1) === 0),
    pods: manifests.pods.map((pod, at) => {
      if (((hiddenPods >> at) & 1) === 0) return pod;
      const { labels: _, ...metadata } = pod.value.metadata;
      const containers = [{ name: 'container-1' }];
      return { ...pod, detail: 1, value: { ...pod.value, metadata, spec: { ...pod.value.spec, containers } } };
    }),
  };
}
