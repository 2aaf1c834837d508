import assert from 'node:assert/strict';
import { test } from 'node:test';
import { didYouMean } from '../../src/common/text/didYouMean.ts';

const fields = ['clusterIP', 'clusterIPs', 'externalIPs', 'ports', 'selector', 'type', 'sessionAffinity'];

test('the nearest word is meant, and none is when none is near', () => {
  const cases: readonly (readonly [string, string | undefined])[] = [
    ['clusterIp', 'clusterIP'],
    ['clusterip', 'clusterIP'],
    ['clusterIps', 'clusterIPs'],
    ['clutserIP', 'clusterIP'],
    ['port', 'ports'],
    ['selectors', 'selector'],
    ['sesionAfinity', 'sessionAffinity'],
    ['tpye', 'type'],
    ['replicas', undefined],
    ['x', undefined],
    ['', undefined],
    ['p'.repeat(1_000_000), undefined],
  ];
  for (const [word, expected] of cases) assert.equal(didYouMean(word, fields), expected, word.slice(0, 20));
});

test('short words of one letter off are found', () => {
  assert.equal(didYouMean('v2', ['v1', 'apps/v1']), 'v1');
  assert.equal(didYouMean('tcp', ['TCP', 'UDP', 'SCTP']), 'TCP');
  assert.equal(didYouMean('HTTP', ['TCP', 'UDP', 'SCTP']), undefined);
});
