import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readPolicyModel } from '../../src/model/policyModel.ts';
import { policyMatrix } from '../../src/policy/policyMatrix.ts';
import { externalClasses } from '../../src/policy/rules/externalClasses.ts';
import { createJudge } from '../../src/policy/verdict.ts';
import { fuzzSeed as seed } from '../support/fuzzSeed.ts';
import { arbitraryCluster } from './arbitraryCluster.ts';
import { manifestsOf } from './readCase.ts';

/** The columns of the matrix for addresses outside the cluster. */
type Block = { readonly cidr: string; readonly except?: readonly string[] };

function modelOf(blocks: readonly Block[]) {
  const ingress = blocks.map((ipBlock) => ({ from: [{ ipBlock }] }));
  return readPolicyModel(
    manifestsOf([
      {
        kind: 'Pod',
        metadata: { name: 'p', namespace: 'a' },
        spec: { nodeName: 'n' },
        status: { phase: 'Running', podIP: '10.1.0.9' },
      },
      { kind: 'NetworkPolicy', metadata: { name: 'x', namespace: 'a' }, spec: { podSelector: {}, ingress } },
    ]),
  );
}

const cases: readonly (readonly [string, readonly Block[], readonly string[]])[] = [
  ['no block', [], ['external']],
  ['a block of the other family', [{ cidr: '2001:db8::/32' }], ['external']],
  ['everything', [{ cidr: '0.0.0.0/0' }], ['external']],
  ['one network', [{ cidr: '203.0.113.0/24' }], ['external 203.0.113.0/24', 'external other']],
  [
    'everything but a network',
    [{ cidr: '0.0.0.0/0', except: ['10.0.0.0/8'] }],
    ['external 0.0.0.0/0 except 10.0.0.0/8', 'external 10.0.0.0/8'],
  ],
  [
    'blocks that overlap',
    [{ cidr: '203.0.113.0/24' }, { cidr: '203.0.113.0/25' }],
    ['external 203.0.113.0/25', 'external 203.0.113.128/25', 'external other'],
  ],
  ['the address of a Pod', [{ cidr: '10.1.0.9/32' }], ['external']],
];

for (const [what, blocks, names] of cases) {
  test(`columns for ${what}`, () => {
    const model = modelOf(blocks);
    assert.deepEqual(
      externalClasses(model, 'ipv4').map(({ name }) => name),
      names,
    );
    const matrix = policyMatrix(model, { zoom: { kind: 'namespaces' }, port: undefined, family: 'ipv4' });
    assert.deepEqual(matrix.names, ['a', ...names]);
  });
}

test('a column says what its addresses may do', () => {
  const model = modelOf([{ cidr: '198.51.100.0/24', except: ['198.51.100.64/26'] }]);
  const { names, cells } = policyMatrix(model, { zoom: { kind: 'namespaces' }, port: undefined, family: 'ipv4' });
  const toPod = new Map(names.map((name, at) => [name, cells[at]?.[0]?.text]));
  assert.deepEqual(
    [...toPod],
    [
      ['a', '-'],
      ['external 198.51.100.0/26, 198.51.100.128/25', 'all'],
      ['external other', 'none'],
    ],
  );
});

test(`whatever address policies tell apart from the others has a column of its own (seed ${seed})`, () => {
  fc.assert(
    fc.property(
      arbitraryCluster,
      fc.constantFrom('203.0.113.9', '203.0.113.77', '192.168.60.77', '10.200.1.1', '10.2.0.77', '198.51.100.1'),
      (objects, address) => {
        const model = readPolicyModel(manifestsOf(objects));
        const judge = createJudge(model);
        const classes = externalClasses(model, 'ipv4');
        const answersOf = (ip: string) =>
          model.pods.flatMap((pod) => {
            const party = judge.partyOfPod(pod, 'ipv4');
            const other = judge.partyAt(ip);
            if (party === undefined) return [];
            const flows = [80, 53].flatMap((port) => [
              { from: other, to: party, protocol: 'TCP' as const, port },
              { from: party, to: other, protocol: 'TCP' as const, port },
            ]);
            return flows.map((flow) => judge.judge(flow).isAllowed);
          });
        const wanted = JSON.stringify(answersOf(address));
        assert.ok(
          classes.some((each) => JSON.stringify(answersOf(each.address)) === wanted),
          address,
        );
      },
    ),
    { seed, numRuns: 100 },
  );
});
