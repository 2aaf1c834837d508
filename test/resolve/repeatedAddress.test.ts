import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compileCase } from '../support/compileCase.ts';

describe('an address in several entries of an EndpointSlice', () => {
  const codes = async (folder: string, version: string) => {
    const { diagnostics } = await compileCase(`live/${folder}`, '--kube-version', version);
    return diagnostics.map(({ code }) => code);
  };

  it('is decided by a sort until 1.30, of which more than 12 entries have no known order', async () => {
    assert.ok((await codes('many-duplicates', '1.30')).includes('endpoint-by-chance'));
  });

  it('is decided by the order in the slice since 1.31', async () => {
    assert.ok(!(await codes('many-duplicates', '1.31')).includes('endpoint-by-chance'));
  });

  it('has a known order among few entries', async () => {
    assert.ok(!(await codes('endpoint-of-several-addresses', '1.30')).includes('endpoint-by-chance'));
  });
});

describe('a port of an EndpointSlice without a number', () => {
  it('is told of for versions that crash on it', async () => {
    for (const [version, isTold] of [
      ['1.30', true],
      ['1.31', false],
    ] as const) {
      const { diagnostics } = await compileCase('live/slice-port-without-number', '--kube-version', version);
      assert.equal(
        diagnostics.some(({ code }) => code === 'slice-port-without-number'),
        isTold,
        version,
      );
    }
  });
});
