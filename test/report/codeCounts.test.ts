import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeFinding } from '../../src/findings/makeFinding.ts';
import type { FindingCode } from '../../src/problems/problemCode.ts';
import { codeCounts } from '../../src/report/forms/codeCounts.ts';

const findings = (code: FindingCode, count: number) =>
  Array.from({ length: count }, (_, at) => makeFinding(code, { what: `the ${at}th` }));

describe('what a long report has most often', () => {
  it('is counted by code, without remarks', () => {
    const all = [
      ...findings('K8N204', 7),
      ...findings('K8N203', 14),
      ...findings('K8N202', 1),
      ...findings('K8N502', 30),
    ];
    assert.deepEqual(codeCounts(all), [
      { code: 'K8N203', count: 14, title: 'traffic goes to an address that is not an endpoint' },
      { code: 'K8N204', count: 7, title: 'an endpoint gets no traffic' },
    ]);
  });
  it('is not counted where the report is short', () => {
    assert.deepEqual(codeCounts([...findings('K8N203', 20), ...findings('K8N502', 30)]), []);
  });
});
