import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { formatKubeVersion } from '../../src/dialect/version.ts';
import { diffManifests } from '../../src/diff/diffManifests.ts';
import { readDumps } from '../../src/dump/readDumps.ts';
import { noObjectFacts } from '../../src/findings/checks/objectFacts.ts';
import type { Compiled } from '../../src/pipeline/compile.ts';
import { compileFiles, root } from '../support/compileCase.ts';
import { type RecordedDump, recordedDumps } from '../support/recordedDumps.ts';

/** Compiled without a version: that of the dump is deduced. */
async function compiledFor({ scenario, mode }: RecordedDump): Promise<Compiled> {
  const folders = ['dialects', 'nft-dialects', 'ipvs-dialects', 'services'].map((folder) =>
    join(root, 'fixtures', folder, scenario),
  );
  const folder = folders.find((one) => existsSync(join(one, 'args'))) ?? assert.fail(scenario);
  const given = (names: readonly string[]) =>
    names.map((name) => join(folder, name)).filter((path) => existsSync(path));
  const config = given(['config.yaml']).flatMap((path) => ['--config', path]);
  const args = readFileSync(join(folder, 'args'), 'utf8').trim().split(/\s+/);
  const all = [...args, ...config, '--no-allocate', '--mode', mode];
  return (await compileFiles(given(['manifests.yaml', 'manifest.yaml']), all)).compiled ?? assert.fail(scenario);
}

function diff(compiled: Compiled, files: RecordedDump['files']) {
  const options = { level: 'rules', hasNfacct: false, family: 'both', ...noObjectFacts } as const;
  const report = diffManifests(compiled, readDumps(files, { name: 'node' }), options);
  return { ...report, findings: report.findings.filter(({ isAdvice, severity }) => !isAdvice && severity !== 'info') };
}

describe('without a version asked for, a dump is compared with the one that wrote it', () => {
  const byScenario = new Map<string, RecordedDump[]>();
  for (const dump of recordedDumps()) {
    const key = `${dump.mode} ${dump.scenario}`;
    byScenario.set(key, [...(byScenario.get(key) ?? []), dump]);
  }
  for (const [name, dumps] of byScenario) {
    it(`${name}: nothing differs`, async () => {
      const compiled = await compiledFor(dumps[0] as RecordedDump);
      // Every fifth: the versions differ from scenario to scenario.
      const few = dumps.filter((_, at) => at % 5 === name.length % Math.min(5, dumps.length));
      assert.ok(few.length > 0);
      for (const { version, files } of few) {
        const { findings, changes } = diff(compiled, files);
        assert.deepEqual([findings.map(({ code, what }) => `${code} ${what}`), changes], [[], []], version);
      }
    });
  }

  it('says which version that is, and what is wrong for it', async () => {
    const dump = byScenario.get('nftables lb-basic')?.find(({ version }) => version === '1.29') as RecordedDump;
    const compiled = await compiledFor(dump);
    assert.equal(formatKubeVersion(compiled.kubeVersion), '1.37');
    const [file] = dump.files;
    const text = file?.text.replace(/dnat to (10\.\S+):\d+/, 'dnat to $1:9') ?? '';
    const { notes, findings } = diff(compiled, [{ name: 'node.nft', text }]);
    assert.ok(
      notes.some((note) => /compared with 1\.29, which writes such rules/.test(note)),
      notes.join('\n'),
    );
    assert.ok(findings.length > 0);
    assert.ok(!findings.some(({ code }) => code === 'K8N109'));
  });
});
