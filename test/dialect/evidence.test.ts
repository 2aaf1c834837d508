import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { ProxyMode } from '../../src/common/proxy/proxyMode.ts';
import { iptablesTable } from '../../src/dialect/iptables/iptablesTable.ts';
import { ipvsTable } from '../../src/dialect/ipvs/ipvsTable.ts';
import { nftablesTable } from '../../src/dialect/nftables/nftablesTable.ts';
import { planTable } from '../../src/dialect/plan/planTable.ts';
import { userspaceTable } from '../../src/dialect/userspace/userspaceTable.ts';
import { byVersion } from '../support/byVersion.ts';
import { root } from '../support/compileCase.ts';

interface Row {
  readonly version: string;
  readonly evidence: string;
  readonly modes?: readonly ProxyMode[];
}

describe('rows of versions that are said to be recorded', () => {
  const recorded = recordedVersions();
  // What a mode had before its first recording shows in that one.
  const isRecorded = (mode: ProxyMode, version: string) => {
    const minors = [...(recorded.get(mode) ?? [])];
    const minor = Number(version.split('.')[1]);
    return minors.includes(minor) || minor < Math.min(...minors);
  };
  const tables: readonly (readonly [string, readonly Row[], readonly ProxyMode[]])[] = [
    ['iptables', iptablesTable.rows, ['iptables']],
    ['ipvs', ipvsTable.rows, ['ipvs']],
    ['nftables', nftablesTable.rows, ['nftables']],
    ['userspace', userspaceTable.rows, ['userspace']],
    ['plan', planTable.rows, ['iptables', 'ipvs', 'nftables', 'userspace']],
  ];
  for (const [name, rows, modes] of tables)
    it(`of ${name} have a recording of their minor version`, () => {
      const bare = rows
        .filter(({ evidence }) => evidence === 'recorded')
        .filter((row) => !(row.modes ?? modes).some((mode) => isRecorded(mode, row.version)));
      assert.deepEqual(
        bare.map(({ version }) => version),
        [],
      );
    });
});

/** Minor versions of each mode, by what is in golden/recorded. */
function recordedVersions(): ReadonlyMap<string, ReadonlySet<number>> {
  const found = new Map(['iptables', 'ipvs', 'nftables', 'userspace'].map((mode) => [mode, new Set<number>()]));
  for (const mode of ['iptables', 'ipvs', 'nftables']) found.get(mode)?.add(30);
  const foldersIn = (path: string) =>
    readdirSync(join(root, 'golden/recorded', path), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name);
  const add = (mode: string, text: string) => {
    const [from = '', to = from] = text.split('-');
    const [first, last] = [from, to].map((one) => Number(one.split('.')[1]));
    for (let at = first as number; at <= (last as number); at += 1) found.get(mode)?.add(at);
  };
  for (const [set, mode] of [
    ['dialects', 'iptables'],
    ['iptables-131plus', 'iptables'],
    ['nft-dialects', 'nftables'],
  ] as const)
    for (const name of foldersIn(set)) for (const version of foldersIn(`${set}/${name}`)) add(mode, version);
  for (const name of foldersIn('ipvs-dialects'))
    for (const version of byVersion(`golden/recorded/ipvs-dialects/${name}`).keys()) add('ipvs', version);
  for (const name of foldersIn('live'))
    for (const version of foldersIn(`live/${name}`))
      for (const mode of foldersIn(`live/${name}/${version}`)) add(mode, version);
  return found;
}
