import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { changeKinds } from '../../src/behaviour/migrate/changeKinds.ts';
import type { Migration } from '../../src/behaviour/migrate/migration.ts';
import { migrationBlocks } from '../../src/behaviour/migrate/migrationBlocks.ts';
import { migrationJson } from '../../src/behaviour/migrate/migrationJson.ts';
import { migrationMarkdown } from '../../src/behaviour/migrate/migrationMarkdown.ts';
import { migrationText } from '../../src/behaviour/migrate/migrationText.ts';
import { targetOptions } from '../../src/cli/options/targetOptions.ts';
import type { ProxyMode } from '../../src/common/proxy/proxyMode.ts';
import type { Diagnostic } from '../../src/diagnostics/diagnostic.ts';
import { parseKubeVersion } from '../../src/dialect/version.ts';
import { readDumps } from '../../src/dump/readDumps.ts';
import { load } from '../../src/load/files/load.ts';
import type { NodeRules } from '../../src/node/nodeRules.ts';
import { modeChanges } from '../../src/problems/catalogue/modeChanges.ts';
import { migrate } from '../../src/public/api.ts';
import { told } from '../../src/public/result.ts';
import { asWritten } from '../support/asWritten.ts';
import { root } from '../support/compileCase.ts';
import { assertGolden } from '../support/golden.ts';
import { runCli } from '../support/runCli.ts';
import { targetFlags } from '../support/targetFlags.ts';

interface Asked {
  readonly from?: ProxyMode;
  readonly to?: ProxyMode;
  readonly version?: string;
  readonly toVersion?: string;
  readonly dump?: NodeRules;
}

async function migrated(name: string, asked: Asked): Promise<Migration> {
  const { found, said } = await attempted(name, asked);
  return found ?? assert.fail(said.map(({ message }) => message).join('\n'));
}

async function attempted(name: string, { from, to, version, toVersion, dump }: Asked) {
  const folder = join(root, 'fixtures/services', name);
  const flags = targetFlags(readFileSync(join(folder, 'args'), 'utf8').trim().split(/\s+/));
  const said: Diagnostic[] = [];
  const report = (one: Diagnostic) => said.push(one);
  const files = ['manifests.yaml', 'config.yaml'].map((file) => join(folder, file)).filter(existsSync);
  const { objects } = await load(files, { recursive: false }, report);
  const options = {
    ...targetOptions(flags),
    ...(from && { mode: from }),
    kubeVersion: version,
    to: { mode: to, kubeVersion: toVersion === undefined ? undefined : parseKubeVersion(toVersion) },
    dump,
  };
  return { found: await told(migrate(objects, options), report), said };
}

const schema = JSON.parse(readFileSync(join(root, 'schema/migration-output.schema.json'), 'utf8'));
const isValid = new Ajv2020({ allErrors: true, allowUnionTypes: true }).compile(schema);

describe('migrate', () => {
  const scenarios = readdirSync(join(root, 'fixtures/services')).filter(
    (name, at) => at % 5 === 0 && name !== 'large-cluster',
  );
  for (const [from, to] of [
    ['iptables', 'nftables'],
    ['ipvs', 'nftables'],
    ['nftables', 'ipvs'],
    ['ipvs', 'iptables'],
  ] as const) {
    it(`${from} to ${to}: every difference is of a known kind`, async () => {
      let differences = 0;
      for (const name of scenarios) {
        const found = await migrated(name, { from, to, version: '1.33', toVersion: '1.33' });
        const unknown = found.groups.filter(({ kind }) => kind === undefined).map(({ title }) => `${name}: ${title}`);
        assert.deepEqual(unknown, []);
        assert.ok(isValid(asWritten(migrationJson(found, 2))), JSON.stringify(isValid.errors));
        differences += found.comparison.findings.length;
      }
      assert.ok(differences > 100, String(differences));
    });
  }

  it('says nothing changes where nothing does', async () => {
    const found = await migrated('nodeport-basic', { version: '1.33', toVersion: '1.33' });
    assert.equal(found.groups.length, 0);
    assert.match(migrationText(migrationBlocks(found, 3)), /Nothing changes for any packet\./);
  });

  it('tells what a version changes in the same mode', async () => {
    const found = await migrated('lb-etp-local', { from: 'nftables', version: '1.31', toVersion: '1.36' });
    assert.ok(found.groups.length > 0);
    assert.ok(
      found.groups.every(({ kind }) => kind === undefined),
      'kinds of modes say nothing of versions',
    );
    assert.ok(found.needs.some(({ kind }) => kind === 'version'));
    assert.ok(found.steps.every(({ commands }) => commands.every((line) => !line.includes('cleanup'))));
  });

  it('goes from IPVS mode with its scheduler, and back', async () => {
    const found = await migrated('ipvs-scheduler-lc', { from: 'ipvs', to: 'nftables', version: '1.33' });
    assert.ok(found.needs.some(({ says }) => says.includes('ipvs.scheduler lc')));
    const cleaned = (steps: Migration['steps']) => steps.flatMap(({ commands }) => commands).join('\n');
    assert.match(cleaned(found.steps), /cleanup --mode ipvs/);
    assert.match(cleaned(found.back), /cleanup --mode nftables/);
  });

  it('starts kube-proxy again behind a clean-up that takes chains of the new mode', async () => {
    const { steps } = await migrated('nodeport-basic', { from: 'ipvs', to: 'iptables', version: '1.33' });
    const { commands = [] } = steps.find(({ commands: all }) => all[0]?.includes('cleanup')) ?? {};
    assert.match(commands[1] ?? '', /delete pod/);
  });

  it('refuses versions that lack the mode', async () => {
    const { found, said } = await attempted('nodeport-basic', { to: 'nftables', version: '1.27' });
    assert.equal(found, undefined);
    assert.ok(said.some(({ code }) => code === 'mode-not-in-version'));
  });

  it('reads mode, version and who else relies on the chains off a dump', async () => {
    const text = readFileSync(join(root, 'golden/recorded/services/nodeport-basic/iptables/iptables.v4.save'), 'utf8')
      .replace(/(\*filter\n)(?:(.*\n)*?:FORWARD .*\n)?/, '$1$2:FORWARD DROP [0:0]\n')
      .replace(
        /(\*nat\n(?::.*\n)*)/,
        '$1:CNI-HOSTPORT-SETMARK - [0:0]\n-A CNI-HOSTPORT-SETMARK -m comment --comment "`<b>*x*" -j KUBE-MARK-MASQ\n',
      );
    const dump = readDumps([{ name: 'node.save', text }], { name: 'node.save' });
    const found = await migrated('nodeport-basic', { to: 'nftables', dump, toVersion: '1.36' });
    assert.equal(found.from.mode, 'iptables');
    assert.deepEqual(found.dependents?.map(({ kind }) => kind).sort(), ['forward-drop', 'jump']);
    assert.ok(isValid(asWritten(migrationJson(found, 1))), JSON.stringify(isValid.errors));
    const page = migrationMarkdown(migrationBlocks(found, 1));
    assert.doesNotMatch(page.replace(/`` .*? ``|```[\s\S]*?```|`[^`]*`/g, ''), /[^\\]<b>/, 'names format nothing');
  });

  it('prints a ticket', async () => {
    const found = await migrated('lb-source-ranges', { to: 'nftables', version: '1.33' });
    const blocks = migrationBlocks(found, 1);
    assertGolden('migrate/lb-source-ranges.md', migrationMarkdown(blocks));
    assertGolden('migrate/lb-source-ranges.txt', migrationText(blocks));
  });

  it('names each kind once, with what the modes do', () => {
    assert.equal(new Set(changeKinds.map(({ code }) => code)).size, changeKinds.length);
    assert.deepEqual(changeKinds.map(({ code }) => code).toSorted(), Object.keys(modeChanges).toSorted());
    for (const { says, title } of Object.values(modeChanges)) assert.ok(Object.keys(says).length > 0 && title);
  });

  const manifests = ['-f', 'fixtures/services/lb-basic/manifests.yaml', '--node', 'node-1'];
  for (const [args, status] of [
    [['migrate', ...manifests], 2],
    [['migrate', ...manifests, '--to', 'nftables', '--kube-version', '1.33', '-o', 'json'], 1],
    [['migrate', ...manifests, '--to', 'iptables'], 0],
    [['migrate', ...manifests, '--to', 'nftables', '--mode', 'ipvs', '--from-mode', 'iptables'], 2],
    [['migrate', ...manifests, '--to', 'nftables', 'no-such.save'], 2],
  ] as const) {
    it(`${args.join(' ')}: ${status}`, () => {
      const ended = runCli(args);
      assert.equal(ended.status, status, ended.stdout + ended.stderr);
    });
  }
});
