import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { dialectOf } from '../../../src/dialect/dialectOf.ts';
import type { IpvsDialect } from '../../../src/dialect/ipvs/ipvsDialect.ts';
import { type KubeVersion, parseKubeVersion } from '../../../src/dialect/version.ts';
import { canonicalSet } from '../../../src/netfilter/ipset/canonicalSet.ts';
import { parseIpset } from '../../../src/netfilter/ipset/parseIpset.ts';
import { byVersion } from '../../support/byVersion.ts';
import { compileCase, root } from '../../support/compileCase.ts';
import { tablesOf } from '../../support/tablesOf.ts';

type Files = ReadonlyMap<string, string>;

/**
 * Every scenario as every recorded version wrote it: what it handed to iptables-restore and asked of the kernel, and
 * what the kernel shows of that (test/kernel/ipvsDialects.test.ts makes those texts).
 */
describe('IPVS mode of every version, as recorded', () => {
  for (const name of readdirSync(join(root, 'golden/recorded/ipvs-dialects'))) {
    it(name, async () => {
      const shown = byVersion(`golden/compiled/ipvs-dialects/${name}`);
      for (const [version, recorded] of byVersion(`golden/recorded/ipvs-dialects/${name}`)) {
        const result = await compileCase(folderOf(name), '--kube-version', version, '--mode', 'ipvs');
        assert.deepEqual(
          result.diagnostics.filter(({ severity }) => severity === 'error'),
          [],
        );
        const families = ['v4', 'v6'].filter((family) => recorded.has(`iptables.${family}.restore`));
        assert.ok(families.length > 0, 'nothing was recorded');
        for (const family of families) compareFamily(result.text, recorded, shown.get(version), family, version);
        for (const file of ['sysctl.conf', 'health.txt']) {
          assert.equal(result.text(file), recorded.get(file) ?? '', `${version} ${file}`);
        }
      }
    });
  }
});

function compareFamily(
  text: (file: string) => string,
  recorded: Files,
  shown: Files | undefined,
  family: string,
  version: string,
): void {
  const of = (files: Files | undefined, name: string) => files?.get(`${name.replace('FAMILY', family)}`) ?? '';
  const ours = (name: string) => text(name.replace('FAMILY', family));
  assert.equal(ours('iptables.FAMILY.restore'), of(recorded, 'iptables.FAMILY.restore'), version);
  assert.equal(ensureCalls(version), of(recorded, 'ensure.FAMILY'), version);
  assert.deepEqual(tablesOf(ours('iptables.FAMILY.save')), tablesOf(of(shown, 'iptables.FAMILY.save')), version);
  // Neither ipset nor ipvsadm has an order of its own.
  for (const file of ['ipvsadm.FAMILY.save', 'addresses.FAMILY']) {
    assert.deepEqual(ours(file).split('\n').sort(), of(recorded, file).split('\n').sort(), `${version} ${file}`);
  }
  const sets = ours('ipset.FAMILY.save');
  assert.deepEqual(asked(sets), asked(of(recorded, 'ipset.FAMILY.save')), version);
  assert.deepEqual(canonicalSets(sets), canonicalSets(of(shown, 'ipset.FAMILY.save')), version);
}

/**
 * kube-proxy names a host by its prefix too, asks for networks of everything, which ipset refuses, and leaves the size of
 * buckets open.
 */
function asked(sets: string): readonly string[] {
  return sets
    .replaceAll(/^(?:#|add .*\/0$).*\n/gm, '')
    .replaceAll(/ bucketsize 12$|\/(?:32|128)$/gm, '')
    .split('\n')
    .sort();
}

function canonicalSets(sets: string): unknown {
  return parseIpset(sets, (problem) => assert.fail(JSON.stringify(problem))).sets.map((set) => {
    const { name, type, options, members } = canonicalSet(set);
    return { name, type, options, members: members.map(({ member }) => member) };
  });
}

/** What kube-proxy makes by single commands: chains, then jumps. */
function ensureCalls(version: string): string {
  const { spelling } = dialectOf('ipvs', parseKubeVersion(version) as KubeVersion) as {
    readonly spelling: IpvsDialect;
  };
  const { ensuresMarkDrop, natChains, filterChains, jumps } = spelling;
  const nat = ensuresMarkDrop ? ['KUBE-MARK-DROP', ...natChains] : natChains;
  return [
    ...nat.map((chain) => `-t nat -N ${chain}\n`),
    ...filterChains.map((chain) => `-t filter -N ${chain}\n`),
    ...jumps.map(
      ({ table, from, to, comment }) => `-t ${table} -I ${from} -m comment --comment "${comment}" -j ${to}\n`,
    ),
  ].join('');
}

function folderOf(name: string): string {
  return existsSync(join(root, 'fixtures/ipvs-dialects', name)) ? `ipvs-dialects/${name}` : `services/${name}`;
}
