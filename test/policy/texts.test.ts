import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { readPolicyModel } from '../../src/model/policyModel.ts';
import { parseListing } from '../../src/netfilter/nft/read/parseListing.ts';
import { compilePolicies } from '../../src/output/policies/compilePolicies.ts';
import { policyMatrix } from '../../src/policy/policyMatrix.ts';
import { explainPolicy, explanationText } from '../../src/policy/text/explainPolicy.ts';
import { type MatrixForm, matrixText } from '../../src/policy/text/matrixText.ts';
import { assertGolden } from '../support/golden.ts';
import { readManifests } from './readCase.ts';

/** What people and nodes are given for each case; that it is right, packets and the judge show, also for the others. */
const root = 'fixtures/networkpolicy';

for (const name of readdirSync(root).filter((each) => !each.startsWith('atk-'))) {
  const model = readPolicyModel(readManifests(`${root}/${name}/manifests.yaml`));

  test(`explanations and matrix of ${name}`, () => {
    const explained = model.policies.map((policy) => explanationText(explainPolicy(model, policy)));
    assertGolden(`networkpolicy/${name}/explain.txt`, explained.join(''));
    const families = name.includes('dual') ? (['ipv4', 'ipv6'] as const) : (['ipv4'] as const);
    const matrices = families.flatMap((family) => [
      policyMatrix(model, { zoom: { kind: 'namespaces' }, port: undefined, family }),
      policyMatrix(model, { zoom: { kind: 'pods', namespaces: [] }, port: undefined, family }),
    ]);
    assertGolden(
      `networkpolicy/${name}/matrix.txt`,
      matrices.map((matrix) => [...matrixText(matrix, 'text')].join('')).join('\n'),
    );
  });

  test(`rules of ${name}`, () => {
    const compiled = compilePolicies(model, { backends: ['nftables', 'iptables'], node: 'node-1' }, ({ message }) =>
      assert.fail(message),
    );
    const { nftables, nftablesSave } = compiled;
    assertGolden(`networkpolicy/${name}/node-1.nft`, `${nftables?.v4}${nftables?.v6}`);
    assertGolden(`networkpolicy/${name}/node-1.iptables`, `${compiled.iptables?.v4}${compiled.iptables?.v6}`);
    assertGolden(`networkpolicy/${name}/node-1.ipset`, `${compiled.ipset?.v4}${compiled.ipset?.v6}`);
    const read = parseListing(`${nftablesSave?.v4}${nftablesSave?.v6}`);
    assert.deepEqual(read.problems, []);
    assert.deepEqual(
      read.ruleset.tables.map(({ name: table }) => table),
      ['k8snet-netpol', 'k8snet-netpol'],
    );
  });
}

for (const form of ['json', 'markdown', 'csv', 'html'] satisfies MatrixForm[]) {
  test(`a matrix as ${form}`, () => {
    const model = readPolicyModel(readManifests(`${root}/post-01-test-network-policy/manifests.yaml`));
    const matrix = policyMatrix(model, { zoom: { kind: 'namespaces' }, port: undefined, family: 'ipv4' });
    assertGolden(`networkpolicy/post-01-test-network-policy/matrix.${form}`, [...matrixText(matrix, form)].join(''));
  });
}
