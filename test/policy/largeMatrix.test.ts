import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { policyClusterJson } from '../../bench/policyCluster.ts';
import { readPolicyModel } from '../../src/model/policyModel.ts';
import { podSelection } from '../../src/policy/parties/podSelection.ts';
import { policyMatrix } from '../../src/policy/policyMatrix.ts';
import { matrixText } from '../../src/policy/text/matrixText.ts';
import { loadTexts } from '../../src/public/core.ts';
import { told } from '../../src/public/result.ts';
import { validate } from '../../src/validate/validate.ts';

const text = [...policyClusterJson({ pods: 1500, namespaces: 10, policies: 100 })].join('');
const { objects } = await told(loadTexts([{ name: 'cluster.json', text }]), () => {});
const model = readPolicyModel(validate(objects, () => {}).manifests);

describe('a matrix of many Pods', () => {
  const matrix = policyMatrix(model, { zoom: { kind: 'pods', namespaces: [] }, port: undefined, family: 'ipv4' });

  it('shares the cells of Pods that policies do not tell apart', () => {
    const cells = new Set(matrix.cells.flat());
    assert.ok(matrix.names.length > 1500);
    assert.ok(cells.size < matrix.names.length ** 2 / 100, `${cells.size} cells`);
  });

  it('is written in pieces, none of which is as long as the table', () => {
    for (const form of ['text', 'json', 'markdown', 'csv', 'html'] as const) {
      let length = 0;
      let longest = 0;
      for (const piece of matrixText(matrix, form)) {
        length += piece.length;
        longest = Math.max(longest, piece.length);
      }
      assert.ok(length > 8e6, form);
      assert.ok(longest < 1e6, form);
    }
  });

  it('is the JSON that JSON.stringify would write', () => {
    const shown = [...matrixText({ ...matrix, cells: matrix.cells.slice(0, 2) }, 'json')].join('');
    assert.equal(shown, `${JSON.stringify(JSON.parse(shown), null, 2)}\n`);
    const empty = [...matrixText({ ...matrix, cells: [] }, 'json')].join('');
    assert.equal(empty, `${JSON.stringify(JSON.parse(empty), null, 2)}\n`);
  });
});

it('a selector that is asked again gives the same list of Pods, also where it finds nobody', () => {
  const selection = podSelection(model);
  for (const policy of model.policies.slice(0, 40)) {
    for (const { peers } of [...(policy.ingress ?? []), ...(policy.egress ?? [])]) {
      for (const peer of peers?.pods ?? []) {
        assert.equal(selection.peers(policy, peer), selection.peers(policy, peer));
        assert.equal(selection.maybePeers(policy, peer), selection.maybePeers(policy, peer));
      }
    }
  }
});
