import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { readPolicyModel } from '../../src/model/policyModel.ts';
import { clusterServices } from '../../src/pipeline/clusterServices.ts';
import { parsePortSpec } from '../../src/policy/portSpec.ts';
import { testPolicy } from '../../src/policy/testPolicy.ts';
import { conntrackHints } from '../../src/policy/text/conntrackHints.ts';
import { checkText } from '../../src/policy/text/verdictText.ts';
import { hasServices, readManifests, readProbes } from './readCase.ts';

/** `policy test` of probes to Services, as packets answered them. */
const root = 'fixtures/networkpolicy';

for (const name of readdirSync(root).filter((each) => hasServices(readProbes(`${root}/${each}`)))) {
  test(`policy test gives every probe of ${name} its expected verdict`, () => {
    const manifests = readManifests(`${root}/${name}/manifests.yaml`);
    const model = readPolicyModel(manifests);
    const services = clusterServices(manifests);
    const probes = readProbes(`${root}/${name}`);
    assert.ok(probes.length > 0);
    for (const { src, dst, protocol, port, allowed } of probes) {
      const request = { from: src, to: dst, port: parsePortSpec(`${port}/${protocol}`), family: undefined };
      const outcome = testPolicy(model, services, request);
      assert.ok(outcome.kind === 'checked', `${src} to ${dst}: ${JSON.stringify(outcome)}`);
      assert.equal(outcome.isAllowed, allowed, `${src} to ${dst} ${port}`);
    }
  });
}

/** From, to, port, and what is said first; then what else is said. */
const answers: readonly (readonly [string, string, string, string, RegExp])[] = [
  ['default/a', '10.96.0.13', '80', 'refused: ', /kube-proxy: refused: the Service has no ready endpoints/],
  ['default/a', 'svc/default/empty', '80', 'refused: ', /through Service default\/empty:80/],
  ['default/d', 'svc/default/empty', '80', 'refused: ', /egress: denied: isolated by default\/d/],
  ['203.0.113.9', 'node/node-1', '30082', 'refused: ', /no ready endpoints/],
  ['203.0.113.9', '192.168.70.11', '30081', 'dropped by kube-proxy: ', /no endpoint on this node/],
  ['198.51.100.9', '198.18.0.1', '80', 'dropped by kube-proxy: ', /in none of loadBalancerSourceRanges/],
  ['198.51.100.9', 'svc/default/lb', '80', 'dropped by kube-proxy: ', /in none of loadBalancerSourceRanges/],
  ['203.0.113.9', 'svc/default/lb', '80', 'allowed: ', /-> default\/web1 /],
  ['203.0.113.9', 'node/node-2', '30080', 'denied: ', /the receiver sees node node-2 \(192\.168\.70\.12\), which/],
];

for (const [from, to, port, head, more] of answers) {
  test(`${from} to ${to} ${port}`, () => {
    const manifests = readManifests(`${root}/atk-20-services/manifests.yaml`);
    const outcome = testPolicy(readPolicyModel(manifests), clusterServices(manifests), {
      from,
      to,
      port: parsePortSpec(port),
      family: undefined,
    });
    assert.ok(outcome.kind === 'checked');
    const text = outcome.checks.map(checkText).join('');
    assert.ok(text.startsWith(head), text);
    assert.match(text, more);
    assert.deepEqual(
      head === 'denied: ' ? [] : conntrackHints(outcome.checks.filter(({ end }) => end !== undefined)),
      [],
    );
  });
}
