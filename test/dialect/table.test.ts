import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { dialectOf } from '../../src/dialect/dialectOf.ts';
import type { DialectTable } from '../../src/dialect/dialectTable.ts';
import { foldRows } from '../../src/dialect/foldRows.ts';
import { knownVersions } from '../../src/dialect/knownVersions.ts';
import { modeTable } from '../../src/dialect/modeTable.ts';
import { planTable } from '../../src/dialect/plan/planTable.ts';
import {
  compareKubeVersions,
  formatKubeVersion,
  type KubeVersion,
  parseKubeVersion,
} from '../../src/dialect/version.ts';

const modes = ['iptables', 'ipvs', 'nftables'] as const;
const parsed = (text: string) => parseKubeVersion(text) as KubeVersion;
const of = (text: string) => dialectOf('iptables', parsed(text)).spelling;

describe('the dialect tables', () => {
  const tables: readonly (readonly [string, DialectTable<unknown>])[] = [
    ['plan', planTable],
    ...modes.map((mode) => [mode, modeTable(mode)] as const),
  ];
  for (const [name, { base, rows, bareMinor }] of tables) {
    it(`${name}: rows are ordered by version, and change only what differs`, () => {
      for (const [at, row] of rows.entries()) {
        const version = parsed(row.version);
        const before = rows.slice(0, at);
        const previous = before.at(-1);
        if (previous)
          assert.ok(compareKubeVersions(parsed(previous.version), version) <= 0, `${row.version} is out of order`);
        const repeated = Object.entries(row.changes as object).filter(([axis, value]) =>
          (row.modes ?? modes).every((mode) => {
            const values = foldRows({ base, rows: before, bareMinor }, version, mode) as Record<string, unknown>;
            return isDeepStrictEqual(values[axis], value);
          }),
        );
        assert.deepEqual(repeated, [], `${row.version} repeats a value`);
      }
    });
  }

  it('knows every minor version of a mode from its first one on', () => {
    for (const mode of modes) {
      const minors = knownVersions(mode).map(({ minor }) => minor);
      assert.deepEqual([...new Set(minors)].length, (minors.at(-1) as number) - (minors[0] as number) + 1);
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
    assert.deepEqual(of('1.77'), of('1.36'));
  });

  it('reads versions as people write them', () => {
    assert.equal(formatKubeVersion(parseKubeVersion('v1.27.4-eks-1-abc') ?? { minor: 0, patch: 0 }), '1.27.4');
    assert.equal(formatKubeVersion(parseKubeVersion('1.24+k3s1') ?? { minor: 0, patch: 0 }), '1.24');
    for (const bad of ['', '1', '2.1', '1.x', '1.2.3.4', 'latest', '1.30 ; rm'])
      assert.equal(parseKubeVersion(bad), undefined, bad);
  });
});
