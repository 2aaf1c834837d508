import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { baseDialect } from '../../src/dialect/baseDialect.ts';
import { dialectOf } from '../../src/dialect/dialectOf.ts';
import { dialectTable } from '../../src/dialect/table.ts';
import { formatKubeVersion, parseKubeVersion } from '../../src/dialect/version.ts';

const of = (text: string) => dialectOf(parseKubeVersion(text) as NonNullable<ReturnType<typeof parseKubeVersion>>);

describe('the dialect table', () => {
  it('is ordered by version, and a row changes only what differs', () => {
    let before = 0;
    for (const row of dialectTable) {
      const version = parseKubeVersion(row.version);
      assert.ok(version, row.version);
      const order = version.minor * 1000 + (version.patch ?? 0);
      assert.ok(order > before, `${row.version} is out of order`);
      before = order;
      const earlier = dialectTable.slice(0, dialectTable.indexOf(row)).filter((other) => !other.isBranch);
      const previous = Object.assign(
        { ...baseDialect },
        ...earlier.map((other) => other.changes),
      ) as typeof baseDialect;
      for (const [axis, value] of Object.entries(row.changes)) {
        assert.notDeepEqual(value, previous[axis as keyof typeof previous], `${row.version} repeats ${axis}`);
      }
    }
  });

  it('counts the July 2020 patch releases within their minor versions only', () => {
    for (const [early, late, next] of [
      ['1.16.12', '1.16.13', '1.17'],
      ['1.17.8', '1.17.9', '1.18'],
      ['1.18.5', '1.18.6', '1.18'],
    ] as const) {
      assert.notEqual(of(early).postrouting, 'three');
      assert.equal(of(late).postrouting, 'three');
      assert.notEqual(of(next).postrouting, 'three');
    }
    assert.deepEqual(of('1.18'), of('1.18.2'));
    assert.equal(of('1.19.0').postrouting, 'three');
  });

  it('takes a version beyond the newest as the newest', () => {
    assert.deepEqual(of('1.77'), of('1.34'));
  });

  it('reads versions as people write them', () => {
    assert.equal(formatKubeVersion(parseKubeVersion('v1.27.4-eks-1-abc') ?? { minor: 0, patch: 0 }), '1.27.4');
    assert.equal(formatKubeVersion(parseKubeVersion('1.24+k3s1') ?? { minor: 0, patch: 0 }), '1.24');
    for (const bad of ['', '1', '2.1', '1.x', '1.2.3.4', 'latest', '1.30 ; rm'])
      assert.equal(parseKubeVersion(bad), undefined, bad);
  });
});
